//! The call behind each verb in NCCL, HCCL, `torch.distributed` and MPI, and what people call
//! instead where a library lacks it.
//!
//! Checked against NCCL 2.30 (`nccl.h`), HCCL (`hccl.h`), PyTorch 2.x and MPI 4.1. Code is the same
//! in every language; arguments are named by what they are, not by how a program names them.

use super::Both;
use crate::engine::collective::Verb;
use crate::engine::reduce::ReduceOp;

/// A library whose calls are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Library {
    /// NVIDIA's, for GPUs.
    Nccl,
    /// Huawei's, for Ascend.
    Hccl,
    /// PyTorch's front end to either.
    Torch,
    /// The Message Passing Interface.
    Mpi,
}

impl Library {
    /// Every library, in the order the page shows them.
    pub const ALL: [Library; 4] = [Library::Nccl, Library::Hccl, Library::Torch, Library::Mpi];

    /// The library's name, the same in every language.
    pub fn name(self) -> &'static str {
        match self {
            Library::Nccl => "NCCL",
            Library::Hccl => "HCCL",
            Library::Torch => "torch.distributed",
            Library::Mpi => "MPI",
        }
    }

    /// What the library calls `op`. HCCL and MPI have no average: they sum, and the caller divides.
    fn op(self, op: ReduceOp) -> &'static str {
        match (self, op) {
            (Library::Nccl, ReduceOp::Sum) => "ncclSum",
            (Library::Nccl, ReduceOp::Product) => "ncclProd",
            (Library::Nccl, ReduceOp::Max) => "ncclMax",
            (Library::Nccl, ReduceOp::Min) => "ncclMin",
            (Library::Nccl, ReduceOp::Mean(_)) => "ncclAvg",
            (Library::Hccl, ReduceOp::Sum | ReduceOp::Mean(_)) => "HCCL_REDUCE_SUM",
            (Library::Hccl, ReduceOp::Product) => "HCCL_REDUCE_PROD",
            (Library::Hccl, ReduceOp::Max) => "HCCL_REDUCE_MAX",
            (Library::Hccl, ReduceOp::Min) => "HCCL_REDUCE_MIN",
            (Library::Torch, ReduceOp::Sum) => "ReduceOp.SUM",
            (Library::Torch, ReduceOp::Product) => "ReduceOp.PRODUCT",
            (Library::Torch, ReduceOp::Max) => "ReduceOp.MAX",
            (Library::Torch, ReduceOp::Min) => "ReduceOp.MIN",
            (Library::Torch, ReduceOp::Mean(_)) => "ReduceOp.AVG",
            (Library::Mpi, ReduceOp::Sum | ReduceOp::Mean(_)) => "MPI_SUM",
            (Library::Mpi, ReduceOp::Product) => "MPI_PROD",
            (Library::Mpi, ReduceOp::Max) => "MPI_MAX",
            (Library::Mpi, ReduceOp::Min) => "MPI_MIN",
        }
    }
}

/// How a verb is called in one library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The code, one statement a line.
    pub code: String,
    /// What a reader must know: that the library lacks the verb, or the average, or has it only
    /// since a certain version.
    pub notes: Vec<Both>,
}

/// The call behind `verb` in `library`; `op` matters for the verbs that reduce.
pub fn call(verb: Verb, library: Library, op: ReduceOp) -> Call {
    let (template, note) = match library {
        Library::Nccl => nccl(verb),
        Library::Hccl => hccl(verb),
        Library::Torch => torch(verb),
        Library::Mpi => mpi(verb),
    };
    let averages = verb.reduces() && matches!(op, ReduceOp::Mean(_));
    let average = match library {
        Library::Nccl => None,
        Library::Torch => Some(TORCH_AVERAGE),
        Library::Hccl => Some(HCCL_AVERAGE),
        Library::Mpi => Some(MPI_AVERAGE),
    };
    Call {
        code: template.replace("{op}", library.op(op)),
        notes: note.into_iter().chain(average.filter(|_| averages)).collect(),
    }
}

const HCCL_AVERAGE: Both = Both {
    en: "HCCL has no average: sum, then divide by n.",
    zh: "HCCL 没有求平均：先求和，再除以 n。",
};
const MPI_AVERAGE: Both = Both {
    en: "MPI has no average: sum, then divide by n.",
    zh: "MPI 没有求平均：先求和，再除以 n。",
};
const TORCH_AVERAGE: Both = Both {
    en: "AVG needs a backend that has it, such as NCCL; otherwise sum, then divide by n.",
    zh: "AVG 需要后端支持（如 NCCL）；否则先求和，再除以 n。",
};
const NCCL_SINCE: Both = Both {
    en: "Since NCCL 2.28; before, ncclSend and ncclRecv in one group.",
    zh: "NCCL 2.28 起提供；此前用同一个 group 里的 ncclSend 和 ncclRecv。",
};
const NCCL_NO_BARRIER: Both = Both {
    en: "NCCL has no barrier: people reduce one element and wait for the stream.",
    zh: "NCCL 没有 barrier：通常归约一个元素，再等 stream 完成。",
};
const NCCL_NO_SHIFT: Both = Both {
    en: "Two calls in one group, so that neither waits for the other.",
    zh: "两个调用放进同一个 group，互不等待。",
};
const HCCL_NO_GATHER: Both = Both {
    en: "HCCL has no Gather: the root receives from every rank, or all call HcclAllGather.",
    zh: "HCCL 没有 Gather：由根 rank 逐个接收，或者全体调用 HcclAllGather。",
};
const BATCH: Both = Both {
    en: "No shift of its own: one send and one receive in a batch.",
    zh: "没有单独的 Shift：把一个发送和一个接收放进同一批。",
};
const TORCH_LISTS: Both = Both {
    en: "The list of tensors is given on the root only.",
    zh: "张量列表只在根 rank 上提供。",
};

type Template = (&'static str, Option<Both>);

fn nccl(verb: Verb) -> Template {
    match verb {
        Verb::AllReduce => ("ncclAllReduce(send, recv, count, type, {op}, comm, stream)", None),
        Verb::Reduce => ("ncclReduce(send, recv, count, type, {op}, root, comm, stream)", None),
        Verb::ReduceScatter => {
            ("ncclReduceScatter(send, recv, recvcount, type, {op}, comm, stream)", None)
        }
        Verb::AllGather => ("ncclAllGather(send, recv, sendcount, type, comm, stream)", None),
        Verb::Gather => {
            ("ncclGather(send, recv, count, type, root, comm, stream)", Some(NCCL_SINCE))
        }
        Verb::Scatter => {
            ("ncclScatter(send, recv, count, type, root, comm, stream)", Some(NCCL_SINCE))
        }
        Verb::Broadcast => ("ncclBroadcast(send, recv, count, type, root, comm, stream)", None),
        Verb::AllToAll => ("ncclAlltoAll(send, recv, count, type, comm, stream)", Some(NCCL_SINCE)),
        Verb::SendRecv => (
            "ncclSend(send, count, type, peer, comm, stream)\n\
             ncclRecv(recv, count, type, peer, comm, stream)",
            None,
        ),
        Verb::Shift => (
            "ncclGroupStart()\n\
             ncclSend(send, count, type, right, comm, stream)\n\
             ncclRecv(recv, count, type, left, comm, stream)\n\
             ncclGroupEnd()",
            Some(NCCL_NO_SHIFT),
        ),
        Verb::Barrier => (
            "ncclAllReduce(one, one, 1, ncclInt32, ncclSum, comm, stream)\n\
             cudaStreamSynchronize(stream)",
            Some(NCCL_NO_BARRIER),
        ),
    }
}

fn hccl(verb: Verb) -> Template {
    match verb {
        Verb::AllReduce => ("HcclAllReduce(send, recv, count, type, {op}, comm, stream)", None),
        Verb::Reduce => ("HcclReduce(send, recv, count, type, {op}, root, comm, stream)", None),
        Verb::ReduceScatter => {
            ("HcclReduceScatter(send, recv, recvCount, type, {op}, comm, stream)", None)
        }
        Verb::AllGather => ("HcclAllGather(send, recv, sendCount, type, comm, stream)", None),
        Verb::Gather => ("HcclBatchSendRecv(items, itemNum, comm, stream)", Some(HCCL_NO_GATHER)),
        Verb::Scatter => ("HcclScatter(send, recv, recvCount, type, root, comm, stream)", None),
        Verb::Broadcast => ("HcclBroadcast(buf, count, type, root, comm, stream)", None),
        Verb::AllToAll => {
            ("HcclAlltoAll(send, sendCount, type, recv, recvCount, type, comm, stream)", None)
        }
        Verb::SendRecv => (
            "HcclSend(send, count, type, destRank, comm, stream)\n\
             HcclRecv(recv, count, type, srcRank, comm, stream)",
            None,
        ),
        Verb::Shift => ("HcclBatchSendRecv(items, 2, comm, stream)", Some(BATCH)),
        Verb::Barrier => ("HcclBarrier(comm, stream)", None),
    }
}

fn torch(verb: Verb) -> Template {
    match verb {
        Verb::AllReduce => ("dist.all_reduce(x, op={op})", None),
        Verb::Reduce => ("dist.reduce(x, dst=0, op={op})", None),
        Verb::ReduceScatter => ("dist.reduce_scatter_tensor(out, x, op={op})", None),
        Verb::AllGather => ("dist.all_gather_into_tensor(out, x)", None),
        Verb::Gather => ("dist.gather(x, gather_list, dst=0)", Some(TORCH_LISTS)),
        Verb::Scatter => ("dist.scatter(out, scatter_list, src=0)", Some(TORCH_LISTS)),
        Verb::Broadcast => ("dist.broadcast(x, src=0)", None),
        Verb::AllToAll => ("dist.all_to_all_single(out, x)", None),
        Verb::SendRecv => ("dist.send(x, dst=1)\ndist.recv(x, src=0)", None),
        Verb::Shift => (
            "dist.batch_isend_irecv([P2POp(dist.isend, x, right), P2POp(dist.irecv, out, left)])",
            Some(BATCH),
        ),
        Verb::Barrier => ("dist.barrier()", None),
    }
}

fn mpi(verb: Verb) -> Template {
    match verb {
        Verb::AllReduce => ("MPI_Allreduce(send, recv, count, type, {op}, comm)", None),
        Verb::Reduce => ("MPI_Reduce(send, recv, count, type, {op}, root, comm)", None),
        Verb::ReduceScatter => {
            ("MPI_Reduce_scatter_block(send, recv, recvcount, type, {op}, comm)", None)
        }
        Verb::AllGather => ("MPI_Allgather(send, count, type, recv, count, type, comm)", None),
        Verb::Gather => ("MPI_Gather(send, count, type, recv, count, type, root, comm)", None),
        Verb::Scatter => ("MPI_Scatter(send, count, type, recv, count, type, root, comm)", None),
        Verb::Broadcast => ("MPI_Bcast(buf, count, type, root, comm)", None),
        Verb::AllToAll => ("MPI_Alltoall(send, count, type, recv, count, type, comm)", None),
        Verb::SendRecv => (
            "MPI_Send(send, count, type, dest, tag, comm)\n\
             MPI_Recv(recv, count, type, source, tag, comm, status)",
            None,
        ),
        Verb::Shift => (
            "MPI_Sendrecv(send, n, type, right, tag, recv, n, type, left, tag, comm, status)",
            None,
        ),
        Verb::Barrier => ("MPI_Barrier(comm)", None),
    }
}

/// Every note, for the tests that hold all words to the rules.
#[cfg(test)]
pub(super) fn pairs() -> Vec<(&'static str, Both)> {
    use crate::engine::reduce::MeanKind;
    let mean = ReduceOp::Mean(MeanKind::PostScale);
    let calls = Library::ALL.iter().flat_map(|&library| {
        Verb::ALL.iter().flat_map(move |&verb| {
            let notes = call(verb, library, mean).notes;
            notes.into_iter().map(move |note| (library.name(), note))
        })
    });
    calls.collect()
}
