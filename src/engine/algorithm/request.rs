//! What can be asked of an algorithm.

use crate::engine::Rank;
use crate::engine::collective::Verb;
use std::fmt;

/// One schedule that is wanted: the verb, the group, and how the algorithm is to go about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    /// What is done.
    pub verb: Verb,
    /// How many ranks take part.
    pub ranks: usize,
    /// The root; 0 for verbs that have none.
    pub root: Rank,
    /// Chunks that every block is cut into on each channel, and on each tree or direction of an
    /// algorithm that has two. A pipeline has that many chunks under way.
    pub chunks: usize,
    /// Pieces that every chunk travels in: each message becomes so many, and a rank passes one on
    /// while the next is under way.
    pub segments: usize,
    /// Copies of the algorithm that run side by side, each on its share of every block, over
    /// connections of its own.
    pub channels: usize,
    /// Ranks of one node; consecutive ranks share a node.
    pub ranks_per_node: usize,
    /// How ranks beyond the largest power of two take part.
    pub fold: Fold,
    /// Who meets whom in a pairwise exchange.
    pub variant: Variant,
    /// Whether input and output share memory.
    pub in_place: bool,
}

/// How the ranks beyond the largest power of two take part in an algorithm that needs one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fold {
    /// MPICH: a surplus rank hands its whole vector to its neighbour, and sleeps.
    #[default]
    Mpich,
    /// Open MPI: the two halve the vector between them, reduce a half each, and then one sleeps.
    Ompi,
}

/// Who meets whom in step t of a pairwise exchange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Rank r sends to r+t and receives from r-t: any number of ranks.
    #[default]
    Shift,
    /// Rank r exchanges with r xor t: powers of two only, but both directions of one link.
    Xor,
}

impl Fold {
    /// Both, the default first.
    pub const ALL: [Fold; 2] = [Fold::Mpich, Fold::Ompi];

    /// The name used in URLs and exports.
    pub fn name(self) -> &'static str {
        match self {
            Fold::Mpich => "mpich",
            Fold::Ompi => "ompi",
        }
    }
}

impl Variant {
    /// Both, the default first.
    pub const ALL: [Variant; 2] = [Variant::Shift, Variant::Xor];

    /// The name used in URLs and exports.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Shift => "shift",
            Variant::Xor => "xor",
        }
    }
}

/// An option of a [`Request`] that not every algorithm has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// [`Request::channels`].
    Channels,
    /// [`Request::ranks_per_node`].
    Nodes,
    /// [`Request::fold`].
    Fold,
    /// [`Request::variant`].
    Variant,
}

impl Choice {
    /// Every option, in the order a picker shows them.
    pub const ALL: [Choice; 4] = [Choice::Channels, Choice::Nodes, Choice::Fold, Choice::Variant];

    /// The name used in URLs and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Choice::Channels => "channels",
            Choice::Nodes => "ranks-per-node",
            Choice::Fold => "fold",
            Choice::Variant => "variant",
        }
    }

    /// Whether `request` asks for something else than what every algorithm does anyway.
    fn is_made(self, request: &Request) -> bool {
        let plain = Request::new(request.verb, request.ranks);
        match self {
            Choice::Channels => request.channels != plain.channels,
            Choice::Nodes => request.ranks_per_node != plain.ranks_per_node,
            Choice::Fold => request.fold != plain.fold,
            Choice::Variant => request.variant != plain.variant,
        }
    }
}

impl Request {
    /// The plain request: root 0, one chunk per block, one segment per chunk, one channel, one rank
    /// per node, out of place.
    pub fn new(verb: Verb, ranks: usize) -> Self {
        Request {
            verb,
            ranks,
            root: 0,
            chunks: 1,
            segments: 1,
            channels: 1,
            ranks_per_node: 1,
            fold: Fold::default(),
            variant: Variant::default(),
            in_place: false,
        }
    }

    /// The options that the request makes use of.
    pub fn choices(&self) -> impl Iterator<Item = Choice> {
        Choice::ALL.into_iter().filter(|choice| choice.is_made(self))
    }

    /// Nodes that the ranks fill; the last one may not be full.
    pub fn nodes(&self) -> usize {
        self.ranks.div_ceil(self.ranks_per_node)
    }
}

/// One line for logs and test names: `allreduce n=4 chunks=2 fold=ompi in place`.
impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} n={}", self.verb.name(), self.ranks)?;
        let numbers = [
            ("root", self.root, 0),
            ("chunks", self.chunks, 1),
            ("segments", self.segments, 1),
            ("channels", self.channels, 1),
            ("ranks-per-node", self.ranks_per_node, 1),
        ];
        for (name, value, _) in numbers.into_iter().filter(|(_, value, plain)| value != plain) {
            write!(f, " {name}={value}")?;
        }
        if self.fold != Fold::default() {
            write!(f, " fold={}", self.fold.name())?;
        }
        if self.variant != Variant::default() {
            write!(f, " variant={}", self.variant.name())?;
        }
        f.write_str(if self.in_place { " in place" } else { "" })
    }
}
