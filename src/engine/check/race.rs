//! Race freedom: conflicting ops of different lanes happen in the order of the program.
//!
//! Two ops conflict that touch the same memory, one of them writing, or the same end of a
//! connection, whose messages are told apart by their order only. Happens-before is the order
//! inside lanes, the dependencies between lanes of a rank, and every send before its receive. Free
//! slots are not counted: a proof must not lean on back pressure.
//!
//! Only lanes of the same rank conflict, and the lanes and dependencies of that rank nearly always
//! order them. What they leave open is looked up in one pass over the ops of all ranks, which
//! carries for every op how far each lane of *that* rank is known to have come.

use super::Fault;
use crate::engine::Rank;
use crate::engine::collective::Buffer;
use crate::engine::schedule::{Peer, Program, Schedule};
use std::collections::HashMap;

/// `Err` with the first unordered conflict.
pub(super) fn check(schedule: &Schedule) -> Result<(), Fault> {
    let mut whole = None;
    for (rank, program) in schedule.programs.iter().enumerate() {
        let own = Order::of_rank(program);
        let clocks = own.clocks(program, 0);
        let mut open = conflicts(schedule, rank);
        open.retain(|&(first, second)| !own.before(&clocks, first, second));
        if open.is_empty() {
            continue;
        }
        let (whole, base) = whole.get_or_insert_with(|| Order::of_all(schedule));
        let base = base[rank];
        let clocks = whole.clocks(program, base);
        let unordered = |&&(a, b): &&(usize, usize)| !whole.before(&clocks, base + a, base + b);
        if let Some(&(first, second)) = open.iter().find(unordered) {
            return Err(Fault::Race { rank, first, second });
        }
    }
    Ok(())
}

/// What two ops of a rank can collide in.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Shared {
    Chunk(Buffer, usize),
    Sending(Peer),
    Receiving(Peer),
}

/// Pairs of ops of different lanes that must happen in the order in which they stand in the
/// program.
///
/// Of all that touch one thing, a read is paired with the last write before it, and a write with
/// the last write and the reads since: the order of the rest follows.
fn conflicts(schedule: &Schedule, rank: Rank) -> Vec<(usize, usize)> {
    let program = &schedule.programs[rank];
    let mut pairs = Vec::new();
    if program.lanes < 2 {
        return pairs;
    }
    let mut touched: HashMap<Shared, (Option<usize>, Vec<usize>)> = HashMap::new();
    let mut touch = |what: Shared, op: usize, writes: bool| {
        let (last_write, reads) = touched.entry(what).or_default();
        pairs.extend(last_write.map(|earlier| (earlier, op)));
        if writes {
            pairs.extend(reads.drain(..).map(|earlier| (earlier, op)));
            *last_write = Some(op);
        } else {
            reads.push(op);
        }
    };
    for (index, op) in program.ops.iter().enumerate() {
        let reads = op.action.reads().map(|s| (s, false));
        for (span, writes) in reads.chain(op.action.dst().map(|s| (s, true))) {
            for chunk in span.chunks() {
                let (buffer, at) = schedule.place(rank, span.buffer, chunk);
                touch(Shared::Chunk(buffer, at), index, writes);
            }
        }
        op.action.to().into_iter().for_each(|peer| touch(Shared::Sending(peer), index, true));
        op.action.from().into_iter().for_each(|peer| touch(Shared::Receiving(peer), index, true));
    }
    pairs.retain(|&(first, second)| program.ops[first].lane != program.ops[second].lane);
    pairs
}

/// Ops as nodes of a graph, in an order that respects happens-before.
#[derive(Default)]
struct Order {
    /// Lane of each node, and its position in that lane.
    places: Vec<(usize, usize)>,
    /// Nodes that must come before each node.
    before: Vec<Vec<usize>>,
    /// A topological order of the nodes.
    sorted: Vec<usize>,
}

impl Order {
    /// One rank by itself. Its program already stands in a valid order.
    fn of_rank(program: &Program) -> Self {
        let mut order = Order::default();
        order.append(program);
        order.sorted = (0..order.before.len()).collect();
        order
    }

    /// All ranks and the messages between them, with the first node of each rank.
    fn of_all(schedule: &Schedule) -> (Self, Vec<usize>) {
        let mut order = Order::default();
        let base: Vec<usize> = schedule.programs.iter().map(|p| order.append(p)).collect();
        for message in schedule.messages() {
            let send = base[message.from] + message.send_op;
            order.before[base[message.to] + message.recv_op].push(send);
        }
        order.sorted = topological(&order.before);
        (order, base)
    }

    /// Adds a rank's lanes and dependencies; returns its first node.
    fn append(&mut self, program: &Program) -> usize {
        let base = self.before.len();
        let mut last: Vec<Option<usize>> = vec![None; program.lanes];
        let mut counts = vec![0; program.lanes];
        for (index, op) in program.ops.iter().enumerate() {
            let mut before: Vec<usize> = op.deps.iter().map(|dep| base + dep).collect();
            before.extend(last[op.lane].replace(base + index));
            self.before.push(before);
            self.places.push((op.lane, counts[op.lane]));
            counts[op.lane] += 1;
        }
        base
    }

    /// Whether node `a` has ended before node `b` starts, by the `clocks` of the rank of `a`.
    fn before(&self, clocks: &[Vec<usize>], a: usize, b: usize) -> bool {
        let (lane, position) = self.places[a];
        clocks[b][lane] > position
    }

    /// For every node: how many ops of each lane of the program whose ops start at node `base` have
    /// certainly ended when it starts, or are the node itself.
    fn clocks(&self, program: &Program, base: usize) -> Vec<Vec<usize>> {
        let mut clocks: Vec<Vec<usize>> = vec![Vec::new(); self.before.len()];
        for &node in &self.sorted {
            let mut clock = vec![0; program.lanes];
            for &earlier in &self.before[node] {
                for (mine, theirs) in clock.iter_mut().zip(&clocks[earlier]) {
                    *mine = (*mine).max(*theirs);
                }
            }
            if (base..base + program.ops.len()).contains(&node) {
                let (lane, position) = self.places[node];
                clock[lane] = position + 1;
            }
            clocks[node] = clock;
        }
        clocks
    }
}

/// Kahn's algorithm. There is no cycle: the symbolic run has reached every op.
fn topological(before: &[Vec<usize>]) -> Vec<usize> {
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); before.len()];
    let mut missing: Vec<usize> = before.iter().map(Vec::len).collect();
    for (node, earlier) in before.iter().enumerate() {
        earlier.iter().for_each(|&e| after[e].push(node));
    }
    let mut sorted: Vec<usize> = (0..before.len()).filter(|&n| missing[n] == 0).collect();
    let mut next = 0;
    while let Some(&node) = sorted.get(next) {
        next += 1;
        for &later in &after[node] {
            missing[later] -= 1;
            if missing[later] == 0 {
                sorted.push(later);
            }
        }
    }
    sorted
}
