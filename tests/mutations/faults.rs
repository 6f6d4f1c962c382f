//! One schedule with one thing wrong for every fault the checker knows.

use ringscope::engine::algorithm::{Request, find};
use ringscope::engine::check::{Fault, check};
use ringscope::engine::collective::{Buffer, Verb};
use ringscope::engine::schedule::{Action, Op, Peer, Schedule, Span};

fn schedule(algorithm: &str, verb: Verb, ranks: usize) -> Schedule {
    let algorithm = find(algorithm).expect("it is in the registry");
    algorithm.build(&Request::new(verb, ranks)).expect("it is not refused")
}

fn span(buffer: Buffer, start: usize) -> Span {
    Span::new(buffer, start, 1)
}

fn peer(rank: usize) -> Peer {
    Peer { rank, channel: 0 }
}

/// What the checker says of `schedule` after `change`; without the change it must be content.
fn fault(mut schedule: Schedule, change: impl FnOnce(&mut Schedule)) -> Fault {
    assert_eq!(check(&schedule).err(), None);
    change(&mut schedule);
    let fault = check(&schedule).expect_err("the change does harm");
    println!("{fault}");
    fault
}

/// Likewise after a change of one op.
fn op_fault(schedule: Schedule, rank: usize, op: usize, change: impl FnOnce(&mut Op)) -> Fault {
    fault(schedule, |schedule| change(&mut schedule.programs[rank].ops[op]))
}

fn ring() -> Schedule {
    schedule("ring", Verb::ReduceScatter, 4)
}

#[test]
fn a_missing_program() {
    let found = fault(ring(), |s| drop(s.programs.pop()));
    assert_eq!(found, Fault::Programs { found: 3, actors: 4 });
}

#[test]
fn spans_peers_lanes_and_dependencies_that_do_not_exist() {
    let wrong = Fault::Shape { rank: 1, op: 2 };
    let action = |action| op_fault(ring(), 1, 2, |op| op.action = action);
    let (from, to) = (peer(0), peer(2));
    let src = span(Buffer::Input, 4);
    assert_eq!(action(Action::RecvReduceSend { from, src, to }), wrong);
    let src = Span::new(Buffer::Input, usize::MAX, 2);
    assert_eq!(action(Action::RecvReduceSend { from, src, to }), wrong);
    let src = Span::new(Buffer::Input, 0, 0);
    assert_eq!(action(Action::RecvReduceSend { from, src, to }), wrong);
    let src = span(Buffer::Input, 2);
    assert_eq!(action(Action::RecvReduceSend { from, src, to: peer(4) }), wrong);
    assert_eq!(action(Action::RecvReduceSend { from: peer(1), src, to }), wrong);
    let (src, dst) = (Span::new(Buffer::Input, 0, 2), span(Buffer::Output, 0));
    assert_eq!(action(Action::Copy { src, dst }), wrong);
    assert_eq!(op_fault(ring(), 1, 2, |op| op.lane = 1), wrong);
    assert_eq!(op_fault(ring(), 1, 2, |op| op.deps = vec![2]), wrong);
}

#[test]
fn writing_the_input() {
    let dst = span(Buffer::Input, 2);
    let action = Action::RecvReduce { from: peer(1), src: dst, dst };
    let found = op_fault(ring(), 2, 3, |op| op.action = action);
    assert_eq!(found, Fault::WritesInput { rank: 2, op: 3 });
}

#[test]
fn reading_what_nobody_wrote() {
    let src = span(Buffer::Output, 0);
    let found = op_fault(ring(), 0, 0, |op| op.action = Action::Send { src, to: peer(1) });
    assert_eq!(found, Fault::Undefined { rank: 0, op: 0, span: src });
}

#[test]
fn mixing_chunks() {
    let src = span(Buffer::Input, 2);
    let found = op_fault(ring(), 0, 0, |op| op.action = Action::Send { src, to: peer(1) });
    assert_eq!(found, Fault::Mixed { rank: 1, op: 1, expected: 2, found: 3 });
}

#[test]
fn a_message_of_another_length() {
    let src = Span::new(Buffer::Input, 2, 2);
    let found = op_fault(ring(), 0, 0, |op| op.action = Action::Send { src, to: peer(1) });
    assert_eq!(found, Fault::Length { rank: 1, op: 1 });
}

#[test]
fn a_contribution_too_few_and_one_too_many() {
    let (from, dst) = (peer(3), span(Buffer::Output, 0));
    let found = op_fault(ring(), 0, 3, |op| op.action = Action::Recv { from, dst });
    let (rank, chunk, label, expected) = (0, 0, 0, vec![0, 1, 2, 3]);
    let dropped = Fault::Postcondition {
        rank,
        chunk,
        label,
        expected: expected.clone(),
        found: vec![1, 2, 3],
    };
    assert_eq!(found, dropped);
    let double = |s: &mut Schedule| {
        let mut again = s.programs[0].ops[3].clone();
        again.action = Action::Reduce { src: span(Buffer::Input, 0), dst };
        s.programs[0].ops.push(again);
    };
    let doubled = Fault::Postcondition { rank, chunk, label, expected, found: vec![0, 0, 1, 2, 3] };
    assert_eq!(fault(ring(), double), doubled);
}

#[test]
fn a_value_reduced_with_itself_for_ever_is_counted_all_the_same() {
    let dst = span(Buffer::Output, 0);
    let found = fault(ring(), |s| {
        let mut again = s.programs[0].ops[3].clone();
        again.action = Action::Reduce { src: dst, dst };
        s.programs[0].ops.extend(vec![again; 200]);
    });
    assert!(matches!(found, Fault::Postcondition { rank: 0, .. }));
}

#[test]
fn a_race_for_memory() {
    let found = fault(schedule("linear", Verb::Broadcast, 2), |s| {
        let root = &mut s.programs[0];
        let mut again = root.ops[0].clone();
        again.lane = 1;
        root.lanes = 2;
        root.ops.push(again);
    });
    assert_eq!(found, Fault::Race { rank: 0, first: 0, second: 2 });
}

#[test]
fn a_race_for_a_connection() {
    // Two lanes send to the same peer over the same channel: which message is first?
    let found = fault(schedule("linear", Verb::Broadcast, 2), |s| {
        let root = &mut s.programs[0];
        let mut again = root.ops[1].clone();
        again.lane = 1;
        root.lanes = 2;
        root.ops.push(again);
        let again = s.programs[1].ops[0].clone();
        s.programs[1].ops.push(again);
    });
    assert_eq!(found, Fault::Race { rank: 0, first: 1, second: 2 });
}

#[test]
fn a_deadlock() {
    let found = fault(ring(), |s| {
        // Everybody receives before anybody has sent.
        s.programs.iter_mut().for_each(|program| program.ops.rotate_left(1));
    });
    assert_eq!(found, Fault::Deadlock { waiting: (0..4).map(|rank| (rank, 0)).collect() });
}

#[test]
fn a_message_that_nobody_receives() {
    let found = fault(ring(), |s| {
        let again = s.programs[2].ops[0].clone();
        s.programs[2].ops.push(again);
    });
    assert_eq!(found, Fault::Unreceived { from: 2, to: 3, channel: 0 });
}

#[test]
fn marks() {
    let found = op_fault(ring(), 1, 3, |op| op.marks.post = false);
    assert_eq!(found, Fault::Marks { rank: 1, op: 3 });
    let found = op_fault(ring(), 1, 0, |op| op.marks.pre = false);
    assert_eq!(found, Fault::Marks { rank: 1, op: 0 });
    // Moving data is not reducing it, so a mean must not scale here.
    let gather = schedule("ring", Verb::AllGather, 4);
    let found = op_fault(gather, 3, 1, |op| op.marks.pre = true);
    assert_eq!(found, Fault::Marks { rank: 3, op: 1 });
}

#[test]
fn a_mark_scales_what_is_added_and_not_what_it_is_added_to() {
    let algorithm = find("linear").expect("it is in the registry");
    let reduce = algorithm
        .build(&Request { in_place: true, ..Request::new(Verb::Reduce, 2) })
        .expect("it is not refused");
    let found = fault(reduce, |s| {
        // In place, the sum is started in the root's own input.
        let root = &mut s.programs[0];
        let mut add = root.ops[0].clone();
        let dst = span(Buffer::Scratch, 0);
        root.scratch.push(0);
        root.ops[0].action = Action::Recv { from: peer(1), dst };
        root.ops[0].marks = Default::default();
        add.action = Action::Reduce { src: dst, dst: span(Buffer::Input, 0) };
        root.ops.push(add);
    });
    assert_eq!(found, Fault::Marks { rank: 0, op: 1 });
}
