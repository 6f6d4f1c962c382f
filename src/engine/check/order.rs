//! Happens-before: the order inside lanes, the dependencies between lanes of a rank, and every send
//! before its receive. Free slots are not counted: a proof must not lean on back pressure.

use crate::engine::schedule::{Program, Schedule};

/// Ops as nodes of a graph, in an order that respects happens-before.
#[derive(Default)]
pub(super) struct Order {
    /// Lane of each node, and its position in that lane.
    places: Vec<(usize, usize)>,
    /// Nodes that must come before each node.
    before: Vec<Vec<usize>>,
    /// A topological order of the nodes.
    sorted: Vec<usize>,
}

impl Order {
    /// One rank by itself. Its program already stands in a valid order.
    pub(super) fn of_rank(program: &Program) -> Self {
        let mut order = Order::default();
        order.append(program);
        order.sorted = (0..order.before.len()).collect();
        order
    }

    /// All ranks and the messages between them, with the first node of each rank.
    pub(super) fn of_all(schedule: &Schedule) -> (Self, Vec<usize>) {
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
    pub(super) fn before(&self, clocks: &[Vec<usize>], a: usize, b: usize) -> bool {
        let (lane, position) = self.places[a];
        clocks[b][lane] > position
    }

    /// For every node: how many ops of each lane of the program whose ops start at node `base` have
    /// certainly ended when it starts, or are the node itself.
    pub(super) fn clocks(&self, program: &Program, base: usize) -> Vec<Vec<usize>> {
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
