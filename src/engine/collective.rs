//! What each verb means: who holds what before, and who must hold what after.
//!
//! A [`Collective`] is a contract over *labels*. The whole vector is cut into *blocks*, one per
//! rank for the verbs that hand blocks around, a single one for the others; each block is cut into
//! `pieces` chunks. A label names a chunk of the whole vector, or a segment where chunks travel in
//! *segments*.
//!
//! Worked example, 4 ranks, one piece (rows are ranks, `r:c` is rank r's contribution to chunk c,
//! `Σc` all four of them):
//!
//! | verb | input of rank r | output of rank r |
//! | --- | --- | --- |
//! | AllReduce | r:0 r:1 r:2 r:3 | Σ0 Σ1 Σ2 Σ3 |
//! | ReduceScatter | r:0 r:1 r:2 r:3 | Σr |
//! | AllGather | r:r | 0:0 1:1 2:2 3:3 |
//! | AllToAll | r→0 r→1 r→2 r→3 | 0→r 1→r 2→r 3→r |

use super::{Label, Rank};
use serde::{Deserialize, Serialize};

/// A collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verb {
    /// Every rank ends with the reduction of all inputs.
    AllReduce,
    /// The root ends with the reduction of all inputs.
    Reduce,
    /// Rank r ends with block r of the reduction of all inputs.
    ReduceScatter,
    /// Every rank ends with every rank's block.
    AllGather,
    /// The root ends with every rank's block.
    Gather,
    /// Rank r ends with block r of the root's input.
    Scatter,
    /// Every rank ends with the root's input.
    Broadcast,
    /// Rank r ends with block r of every rank's input: a transposition.
    AllToAll,
    /// The root's input goes to the next rank, and nothing else moves.
    SendRecv,
    /// Every rank's input goes to the next rank round the ring.
    Shift,
    /// No rank leaves before every rank has entered.
    Barrier,
}

/// How people in the field group the verbs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Many inputs become one result.
    Combine,
    /// Combined and handed out at once.
    CombineAndHandOut,
    /// Blocks are collected or handed out unchanged.
    CollectAndHandOut,
    /// One sender, one receiver.
    PointToPoint,
}

impl Verb {
    /// Every verb, family by family, in the order a picker shows them.
    pub const ALL: [Verb; 11] = [
        Verb::AllReduce,
        Verb::Reduce,
        Verb::Barrier,
        Verb::ReduceScatter,
        Verb::AllGather,
        Verb::Gather,
        Verb::Scatter,
        Verb::Broadcast,
        Verb::AllToAll,
        Verb::SendRecv,
        Verb::Shift,
    ];

    /// The name used in URLs and exports: `allreduce`, `sendrecv`.
    pub fn name(self) -> &'static str {
        match self {
            Verb::AllReduce => "allreduce",
            Verb::Reduce => "reduce",
            Verb::ReduceScatter => "reducescatter",
            Verb::AllGather => "allgather",
            Verb::Gather => "gather",
            Verb::Scatter => "scatter",
            Verb::Broadcast => "broadcast",
            Verb::AllToAll => "alltoall",
            Verb::SendRecv => "sendrecv",
            Verb::Shift => "shift",
            Verb::Barrier => "barrier",
        }
    }

    /// The name engineers write: `AllReduce`, `Send/Recv`. It is the same in every language.
    pub fn title(self) -> &'static str {
        match self {
            Verb::AllReduce => "AllReduce",
            Verb::Reduce => "Reduce",
            Verb::ReduceScatter => "ReduceScatter",
            Verb::AllGather => "AllGather",
            Verb::Gather => "Gather",
            Verb::Scatter => "Scatter",
            Verb::Broadcast => "Broadcast",
            Verb::AllToAll => "AllToAll",
            Verb::SendRecv => "Send/Recv",
            Verb::Shift => "Shift",
            Verb::Barrier => "Barrier",
        }
    }

    /// The family this verb belongs to.
    pub fn family(self) -> Family {
        match self {
            Verb::AllReduce | Verb::Reduce | Verb::Barrier => Family::Combine,
            Verb::ReduceScatter => Family::CombineAndHandOut,
            Verb::AllGather | Verb::Gather | Verb::Scatter | Verb::Broadcast | Verb::AllToAll => {
                Family::CollectAndHandOut
            }
            Verb::SendRecv | Verb::Shift => Family::PointToPoint,
        }
    }

    /// Whether the verb has a root (for Send/Recv: the sender).
    pub fn has_root(self) -> bool {
        matches!(
            self,
            Verb::Reduce | Verb::Gather | Verb::Scatter | Verb::Broadcast | Verb::SendRecv
        )
    }

    /// Whether the verb reduces values a user chose.
    pub fn reduces(self) -> bool {
        matches!(self, Verb::AllReduce | Verb::Reduce | Verb::ReduceScatter)
    }

    /// Whether the whole vector is made of one block per rank.
    pub fn has_blocks(self) -> bool {
        matches!(
            self,
            Verb::AllGather | Verb::ReduceScatter | Verb::Gather | Verb::Scatter | Verb::AllToAll
        )
    }

    /// Whether the blocks may be cut along any dimension of a tensor.
    pub fn has_dimension(self) -> bool {
        self.has_blocks() && self != Verb::AllToAll
    }

    /// Whether input and output may share memory. AllToAll would overwrite blocks it has still to
    /// send.
    pub fn runs_in_place(self) -> bool {
        self != Verb::AllToAll
    }

    /// The verb that this one becomes when its messages run backwards in time: where a chunk was
    /// sent on to many, the chunks of many meet. Only verbs that merely move data turn round.
    pub fn dual(self) -> Option<Verb> {
        match self {
            Verb::AllGather => Some(Verb::ReduceScatter),
            Verb::Broadcast => Some(Verb::Reduce),
            Verb::Scatter => Some(Verb::Gather),
            _ => None,
        }
    }

    /// Whether every rank ends with the same contents.
    pub fn same_on_all(self) -> bool {
        matches!(self, Verb::AllReduce | Verb::AllGather | Verb::Broadcast | Verb::Barrier)
    }

    /// nccl-tests' factor from algorithm bandwidth to bus bandwidth for `n` ranks, as a fraction
    /// (numerator, denominator). Facts: nccl-tests, `doc/PERFORMANCE.md`.
    pub fn bus_factor(self, n: usize) -> (usize, usize) {
        match self {
            Verb::AllReduce => (2 * (n - 1), n),
            Verb::AllGather
            | Verb::ReduceScatter
            | Verb::AllToAll
            | Verb::Gather
            | Verb::Scatter => (n - 1, n),
            Verb::Broadcast | Verb::Reduce | Verb::SendRecv | Verb::Shift | Verb::Barrier => (1, 1),
        }
    }
}

/// One collective over one group: the contract a schedule has to meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Collective {
    /// What is done.
    pub verb: Verb,
    /// How many ranks take part, at least 1.
    pub ranks: usize,
    /// The root; 0 for verbs that have none.
    pub root: Rank,
    /// How many labels each block has, at least 1: its chunks or, where they are cut, segments.
    pub pieces: usize,
    /// How many labels each chunk has, at least 1: the segments it travels in. It divides `pieces`.
    pub segments: usize,
    /// How many blocks the whole vector has. `ranks` for verbs with blocks; otherwise the algorithm
    /// chooses (a ring cuts an AllReduce into `ranks`, a tree does not cut it).
    pub blocks: usize,
}

/// One of the three buffers of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Buffer {
    /// What the caller passes in.
    Input,
    /// What the caller gets back.
    Output,
    /// Room the algorithm needs for itself.
    Scratch,
}

/// Required contents of one output chunk: which ranks' inputs it must hold, and under which label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Required {
    /// The chunk's place in the whole vector.
    pub label: Label,
    /// The contributing ranks, each exactly once, ascending.
    pub from: Vec<Rank>,
}

impl Collective {
    /// The contract of `verb` over `ranks` ranks whose blocks are cut into `pieces` chunks each.
    ///
    /// `blocks` only matters for AllReduce, Reduce, Broadcast, Send/Recv and Shift.
    pub fn new(verb: Verb, ranks: usize, root: Rank, blocks: usize, pieces: usize) -> Self {
        assert!(ranks > 0 && root < ranks && blocks > 0 && pieces > 0);
        let blocks = if verb.has_blocks() { ranks } else { blocks };
        Collective { verb, ranks, root, pieces, segments: 1, blocks }
    }

    /// The same with every label cut into `segments`.
    pub fn cut(self, segments: usize) -> Self {
        let Collective { pieces, segments: before, .. } = self;
        Collective { pieces: pieces * segments, segments: before * segments, ..self }
    }

    /// Chunks in the whole vector (for AllToAll: in one rank's vector).
    pub fn chunks(&self) -> usize {
        self.blocks * self.pieces
    }

    /// Number of distinct labels. AllToAll names a chunk by source and destination.
    pub fn labels(&self) -> usize {
        match self.verb {
            Verb::AllToAll => self.ranks * self.chunks(),
            _ => self.chunks(),
        }
    }

    /// The labels of one block, in order.
    fn block(&self, block: usize) -> std::ops::Range<Label> {
        block * self.pieces..(block + 1) * self.pieces
    }

    /// The labels `rank`'s input holds, chunk by chunk; none for a switch.
    pub fn input(&self, rank: Rank) -> Vec<Label> {
        match self.verb {
            _ if rank >= self.ranks => Vec::new(),
            Verb::AllReduce | Verb::Reduce | Verb::ReduceScatter | Verb::Shift | Verb::Barrier => {
                (0..self.chunks()).collect()
            }
            Verb::AllGather | Verb::Gather => self.block(rank).collect(),
            Verb::Scatter | Verb::Broadcast | Verb::SendRecv if rank == self.root => {
                (0..self.chunks()).collect()
            }
            Verb::Scatter | Verb::Broadcast | Verb::SendRecv => Vec::new(),
            Verb::AllToAll => {
                let start = rank * self.chunks();
                (start..start + self.chunks()).collect()
            }
        }
    }

    /// The labels `rank`'s output has room for, chunk by chunk; none for a switch.
    pub fn output(&self, rank: Rank) -> Vec<Label> {
        match self.verb {
            _ if rank >= self.ranks => Vec::new(),
            Verb::Reduce | Verb::Gather if rank != self.root => Vec::new(),
            Verb::SendRecv if rank != self.receiver() => Vec::new(),
            Verb::ReduceScatter | Verb::Scatter => self.block(rank).collect(),
            Verb::AllToAll => (0..self.ranks)
                .flat_map(|source| {
                    let start = source * self.chunks() + rank * self.pieces;
                    start..start + self.pieces
                })
                .collect(),
            _ => (0..self.chunks()).collect(),
        }
    }

    /// What `rank`'s output must hold at the end, chunk by chunk.
    pub fn required(&self, rank: Rank) -> Vec<Required> {
        let from = |label: Label| match self.verb {
            Verb::AllReduce | Verb::Reduce | Verb::ReduceScatter | Verb::Barrier => {
                (0..self.ranks).collect()
            }
            Verb::AllGather | Verb::Gather => vec![label / self.pieces],
            Verb::Scatter | Verb::Broadcast | Verb::SendRecv => vec![self.root],
            Verb::Shift => vec![(rank + self.ranks - 1) % self.ranks],
            Verb::AllToAll => vec![label / self.chunks()],
        };
        let labels = self.output(rank).into_iter();
        labels.map(|label| Required { label, from: from(label) }).collect()
    }

    /// Send/Recv's receiver: the rank after the sender.
    pub fn receiver(&self) -> Rank {
        (self.root + 1) % self.ranks
    }

    /// Where in-place operation puts `rank`'s input inside its output, or its output inside its
    /// input, as a chunk offset: NCCL's rules (`send == recv + rank*count` for AllGather and so
    /// on).
    ///
    /// Returns (offset of the input, offset of the output) in a buffer that holds both.
    pub fn in_place_offsets(&self, rank: Rank) -> (usize, usize) {
        let own = rank * self.pieces;
        match self.verb {
            Verb::AllGather => (own, 0),
            Verb::Gather if rank == self.root => (own, 0),
            Verb::ReduceScatter => (0, own),
            Verb::Scatter if rank == self.root => (0, own),
            _ => (0, 0),
        }
    }

    /// The chunk of the vector (0-based, within one rank's full vector) that a label's length comes
    /// from. Everything but AllToAll uses the label itself.
    pub fn place(&self, label: Label) -> usize {
        label % self.chunks()
    }
}

/// The half-open range of elements that part `index` of `parts` gets of `len` elements: the first
/// `len % parts` parts are one longer, as MPI implementations do it.
///
/// ```
/// use ringscope::engine::collective::balanced;
/// let parts: Vec<_> = (0..4).map(|i| balanced(10, 4, i)).collect();
/// assert_eq!(parts, [0..3, 3..6, 6..8, 8..10]);
/// ```
pub fn balanced(len: usize, parts: usize, index: usize) -> std::ops::Range<usize> {
    let (base, longer) = (len / parts, len % parts);
    let start = index * base + index.min(longer);
    start..start + base + usize::from(index < longer)
}
