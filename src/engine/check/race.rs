//! Race freedom: conflicting ops of different lanes are ordered by happens-before.
//!
//! Happens-before is the order inside lanes, the dependencies between lanes of a rank, and every send
//! before its receive. Free slots are not counted: a proof must not lean on back pressure.
//!
//! Only lanes of the same rank share memory. So for each rank that has a conflict, one pass over all
//! ops in a valid order carries, for every op, how far each lane of *that* rank is known to have come.

use super::Fault;
use crate::engine::Rank;
use crate::engine::collective::Buffer;
use crate::engine::schedule::Schedule;
use std::collections::HashMap;

/// `Err` with the first unordered conflict.
pub(super) fn check(schedule: &Schedule) -> Result<(), Fault> {
    let conflicts: Vec<_> =
        (0..schedule.programs.len()).map(|rank| conflicts(schedule, rank)).collect();
    if conflicts.iter().all(Vec::is_empty) {
        return Ok(());
    }
    let order = Order::new(schedule);
    for (rank, conflicts) in conflicts.into_iter().enumerate() {
        if conflicts.is_empty() {
            continue;
        }
        let known = order.clocks(schedule, rank);
        for (first, second) in conflicts {
            let before = |a: usize, b: usize| {
                let lane = schedule.programs[rank].ops[a].lane;
                let node = order.node(rank, b);
                known[node][lane] > order.position(rank, a)
            };
            if !before(first, second) && !before(second, first) {
                return Err(Fault::Race { rank, first, second });
            }
        }
    }
    Ok(())
}

/// Pairs of ops in different lanes that touch the same chunk, at least one writing it.
fn conflicts(schedule: &Schedule, rank: Rank) -> Vec<(usize, usize)> {
    let program = &schedule.programs[rank];
    if program.lanes < 2 {
        return Vec::new();
    }
    let mut touching: HashMap<(Buffer, usize), Vec<(usize, bool)>> = HashMap::new();
    for (index, op) in program.ops.iter().enumerate() {
        let reads = op.action.reads().map(|s| (s, false));
        for (span, writes) in reads.chain(op.action.dst().map(|s| (s, true))) {
            for chunk in span.chunks() {
                let place = schedule.place(rank, span.buffer, chunk);
                touching.entry(place).or_default().push((index, writes));
            }
        }
    }
    let mut pairs = Vec::new();
    for accesses in touching.values() {
        for (i, &(first, first_writes)) in accesses.iter().enumerate() {
            for &(second, second_writes) in &accesses[i + 1..] {
                let lanes_differ = program.ops[first].lane != program.ops[second].lane;
                if lanes_differ && (first_writes || second_writes) {
                    pairs.push((first, second));
                }
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// All ops of all ranks as one graph, in an order that respects happens-before.
struct Order {
    /// First node number of each rank.
    base: Vec<usize>,
    /// Position of each node in its lane.
    position: Vec<usize>,
    /// Nodes that must come before each node.
    before: Vec<Vec<usize>>,
    /// A topological order of the nodes.
    sorted: Vec<usize>,
}

impl Order {
    fn new(schedule: &Schedule) -> Self {
        let mut base = Vec::new();
        let (mut position, mut before) = (Vec::new(), Vec::new());
        for program in &schedule.programs {
            let start = before.len();
            base.push(start);
            let mut last: Vec<Option<usize>> = vec![None; program.lanes];
            let mut counts = vec![0; program.lanes];
            for (index, op) in program.ops.iter().enumerate() {
                let mut preceding: Vec<usize> = op.deps.iter().map(|dep| start + dep).collect();
                preceding.extend(last[op.lane].replace(start + index));
                before.push(preceding);
                position.push(counts[op.lane]);
                counts[op.lane] += 1;
            }
        }
        for message in schedule.messages() {
            let (send, receive) =
                (base[message.from] + message.send_op, base[message.to] + message.recv_op);
            before[receive].push(send);
            // A fused sender has received first, so the edge from its own receive is its lane order.
        }
        let sorted = topological(&before);
        Order { base, position, before, sorted }
    }

    fn node(&self, rank: Rank, op: usize) -> usize {
        self.base[rank] + op
    }

    fn position(&self, rank: Rank, op: usize) -> usize {
        self.position[self.node(rank, op)]
    }

    /// For every node: how many ops of each lane of `rank` have certainly ended when it starts, or are
    /// the node itself.
    fn clocks(&self, schedule: &Schedule, rank: Rank) -> Vec<Vec<usize>> {
        let program = &schedule.programs[rank];
        let mut clocks: Vec<Vec<usize>> = vec![Vec::new(); self.before.len()];
        for &node in &self.sorted {
            let mut clock = vec![0; program.lanes];
            for &earlier in &self.before[node] {
                for (mine, theirs) in clock.iter_mut().zip(&clocks[earlier]) {
                    *mine = (*mine).max(*theirs);
                }
            }
            let own = node.checked_sub(self.base[rank]);
            if let Some(op) = own.and_then(|index| program.ops.get(index)) {
                clock[op.lane] = self.position[node] + 1;
            }
            clocks[node] = clock;
        }
        clocks
    }
}

/// Kahn's algorithm; nodes on a cycle are left out (the symbolic run has found the deadlock already).
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
