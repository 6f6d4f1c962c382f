//! The command that measures the scenario with nccl-tests.
//!
//! Example, AllReduce by ring of 64 KiB in f16 over 4 ranks:
//! `NCCL_ALGO=Ring ./build/all_reduce_perf -g 4 -b 65536 -e 65536 -d half -o sum -c 1`.
//!
//! Source: nccl-tests' README and `src/common.cu`, for names and options; NCCL's documentation of
//! `NCCL_ALGO`.

use crate::engine::collective::Verb;
use crate::engine::reduce::{Dtype, ReduceOp};
use crate::ui::scenario::{Prepared, Scenario};

/// The program that measures a verb; Send/Recv alone and Barrier have none.
pub fn program(verb: Verb) -> Option<&'static str> {
    Some(match verb {
        Verb::AllReduce => "all_reduce_perf",
        Verb::Reduce => "reduce_perf",
        Verb::ReduceScatter => "reduce_scatter_perf",
        Verb::AllGather => "all_gather_perf",
        Verb::Gather => "gather_perf",
        Verb::Scatter => "scatter_perf",
        Verb::Broadcast => "broadcast_perf",
        Verb::AllToAll => "alltoall_perf",
        // Its name says less than it does: every rank sends to the next one.
        Verb::Shift => "sendrecv_perf",
        Verb::SendRecv | Verb::Barrier => return None,
    })
}

/// What nccl-tests calls a type.
pub fn type_name(dtype: Dtype) -> &'static str {
    match dtype {
        Dtype::F32 => "float",
        Dtype::F64 => "double",
        Dtype::F16 => "half",
        Dtype::Bf16 => "bfloat16",
        Dtype::E4m3 => "fp8_e4m3",
        Dtype::E5m2 => "fp8_e5m2",
        Dtype::I8 => "int8",
        Dtype::U8 => "uint8",
        Dtype::I32 => "int32",
        Dtype::I64 => "int64",
    }
}

/// What nccl-tests calls an operator.
pub fn op_name(op: ReduceOp) -> &'static str {
    match op {
        ReduceOp::Sum => "sum",
        ReduceOp::Product => "prod",
        ReduceOp::Max => "max",
        ReduceOp::Min => "min",
        ReduceOp::Mean(_) => "avg",
    }
}

/// What NCCL calls the algorithm, if it has it.
fn algorithm(name: &str) -> Option<&'static str> {
    match name {
        "ring" => Some("Ring"),
        "double-tree" => Some("Tree"),
        "pat" => Some("PAT"),
        _ => None,
    }
}

/// The command; `None` where nccl-tests measures no such thing. NCCL is asked for the algorithm
/// where it has one of that name, and chooses itself elsewhere.
pub fn command(scenario: &Scenario, prepared: &Prepared) -> Option<String> {
    let program = program(scenario.verb)?;
    let wire = prepared.run.reduction.wire();
    let bytes = prepared.lengths.total() * wire.size_bytes();
    let mut command = String::new();
    if let Some(name) = algorithm(scenario.algorithm).filter(|_| scenario.verb.reduces()) {
        command += &format!("NCCL_ALGO={name} ");
    }
    let (ranks, dtype) = (scenario.ranks, type_name(wire));
    command += &format!("./build/{program} -g {ranks} -b {bytes} -e {bytes} -d {dtype}");
    if scenario.verb.reduces() {
        command += &format!(" -o {}", op_name(scenario.op));
    }
    if scenario.verb.has_root() {
        command += &format!(" -r {}", scenario.root);
    }
    Some(command + " -c 1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::scenario::parse;

    #[test]
    fn commands_name_program_type_operator_and_root() {
        let of = |fragment: &str| {
            let (_, scenario, _) = parse(fragment);
            command(&scenario, &scenario.prepare().expect("it can be had"))
        };
        let cases = [
            (
                "/allreduce?size=64KiB&type=f16",
                "NCCL_ALGO=Ring ./build/all_reduce_perf -g 4 -b 65536 -e 65536 -d half -o sum -c 1",
            ),
            (
                "/reduce?algo=tree&root=2&op=mean&n=8&size=1MiB",
                "./build/reduce_perf -g 8 -b 1048576 -e 1048576 -d float -o avg -r 2 -c 1",
            ),
            ("/allgather", "./build/all_gather_perf -g 4 -b 16 -e 16 -d float -c 1"),
            ("/shift?type=i8", "./build/sendrecv_perf -g 4 -b 4 -e 4 -d int8 -c 1"),
        ];
        for (fragment, expected) in cases {
            assert_eq!(of(fragment).as_deref(), Some(expected));
        }
        assert_eq!([of("/sendrecv"), of("/barrier")], [None, None]);
    }
}
