//! The runtime on native threads: the same bits as the simulator, whatever is in flight beside it.
#![cfg(not(target_arch = "wasm32"))]

use ringscope::engine::Rank;
use ringscope::engine::algorithm::find;
use ringscope::engine::check::check;
use ringscope::engine::collective::Verb;
use ringscope::engine::oracle::Inputs;
use ringscope::engine::rank::Waiting;
use ringscope::engine::reduce::{Dtype, ReduceOp, Reduction};
use ringscope::engine::schedule::{Action, Peer, Schedule};
use ringscope::engine::simulate::{Run, simulate};
use ringscope::engine::tensor::Tensor;
use ringscope::runtime::call::{CallInFlight, Turn};
use ringscope::runtime::cases::grid;
use ringscope::runtime::clock::Clock;
use ringscope::runtime::outcome::{RunFault, mean_us};
use ringscope::runtime::plan::{MEMORY_BUDGET_BYTES, Plan, TRACE_EVENTS_MAX};
use ringscope::runtime::protocol::{PROTOCOL, ReduceTiming, Repeat, Report, Task, ToRank, VERSION};
use ringscope::runtime::threads;
use ringscope::runtime::world::{Links, Message};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

fn schedule(algorithm: &str, verb: Verb, n: usize, pieces: usize, in_place: bool) -> Schedule {
    let algorithm = find(algorithm).expect("in the registry");
    algorithm.build(verb, n, 0, pieces, in_place).expect("not refused")
}

fn run_of(n: usize, elements: usize, seed: u64, slots: usize) -> Run {
    Run {
        tensor: Tensor::flat(elements),
        reduction: Reduction { op: ReduceOp::Sum, dtype: Dtype::F32, ranks: n },
        inputs: Inputs::Seeded(seed),
        slots,
    }
}

fn plan(schedule: &Schedule, run: &Run) -> Result<Plan, RunFault> {
    Plan::new(schedule, &check(schedule).expect("a sound schedule"), run)
}

/// What each rank ends with.
type Outputs = Vec<Option<Vec<u8>>>;

/// The simulator's outputs.
fn reference(schedule: &Schedule, run: &Run) -> Outputs {
    let simulation = simulate(schedule, run, 0);
    assert!(simulation.stuck.is_empty());
    simulation.outputs.into_iter().map(Some).collect()
}

#[test]
fn threads_compute_the_simulators_bits_for_every_verb_algorithm_and_size() {
    let cases = grid(&[1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert!(cases.len() > 2000, "{} cases", cases.len());
    for case in &cases {
        let schedule = case.schedule().unwrap();
        let proof = check(&schedule).unwrap();
        let run = case.run(proof.slots);
        let plan = Plan::new(&schedule, &proof, &run).unwrap();
        let result = threads::run(&[plan]).unwrap_or_else(|fault| panic!("{case}: {fault:?}"));
        let result = &result[0];
        assert_eq!(result.outputs, reference(&schedule, &run), "{case}");
        assert!(result.verdict.passed(), "{case}: {:?}", result.verdict);
        let simulated = simulate(&schedule, &run, 0).trace;
        let trace = result.trace.as_ref().unwrap();
        assert_eq!(trace.events.len(), simulated.events.len(), "{case}: events");
        let values = |events: &[ringscope::engine::trace::Event]| {
            let mut all: Vec<_> = events.iter().map(|e| (e.rank, e.op, e.values.clone())).collect();
            all.sort_by(|a, b| a.partial_cmp(b).unwrap());
            all
        };
        assert_eq!(values(&trace.events), values(&simulated.events), "{case}: values shown");
    }
}

#[test]
fn a_wrong_program_is_found_by_the_verdict() {
    let mut broken = schedule("ring", Verb::AllReduce, 3, 1, false);
    let proof = check(&broken).unwrap();
    // Rank 1 copies where it should add.
    let op = broken.programs[1]
        .ops
        .iter_mut()
        .find(|op| matches!(op.action, Action::RecvReduceCopySend { .. }));
    let op = op.expect("a ring has one");
    if let Action::RecvReduceCopySend { from, dst, to, .. } = op.action {
        op.action = Action::RecvCopySend { from, dst, to };
    }
    let plan = Plan::new(&broken, &proof, &run_of(3, 12, 1, 1)).unwrap();
    let verdict = threads::run(&[plan]).unwrap()[0].verdict;
    assert!(!verdict.passed());
    assert_eq!(verdict.checked, 36);
    assert_eq!(verdict.wrong_bits, 12, "a third of each rank's vector");
}

/// Links of the deterministic driver: all queues of the world, shared by everything in one thread.
#[derive(Default)]
struct Queues {
    queues: BTreeMap<(u32, usize, usize, usize), VecDeque<Vec<u8>>>,
    fullest: usize,
}

struct SharedLinks {
    queues: Rc<RefCell<Queues>>,
    task: Task,
}

struct Taken(Vec<u8>);

impl Message for Taken {
    fn size(&self) -> usize {
        self.0.len()
    }

    fn unload(self, target: &mut [u8]) {
        target.copy_from_slice(&self.0);
    }
}

impl SharedLinks {
    fn key(&self, from: Rank, to: Rank, channel: usize) -> (u32, usize, usize, usize) {
        let members = &self.task.members;
        (self.task.call.group, members[from], members[to], channel)
    }
}

impl Links for SharedLinks {
    type Message = Taken;

    fn receive(&mut self, from: Peer) -> Option<Taken> {
        let key = self.key(from.rank, self.task.rank, from.channel);
        self.queues.borrow_mut().queues.get_mut(&key)?.pop_front().map(Taken)
    }

    fn can_send(&mut self, to: Peer) -> bool {
        let key = self.key(self.task.rank, to.rank, to.channel);
        self.queues.borrow().queues.get(&key).is_none_or(|q| q.len() < self.task.slots)
    }

    fn send(&mut self, to: Peer, bytes: &[u8]) {
        let key = self.key(self.task.rank, to.rank, to.channel);
        let mut queues = self.queues.borrow_mut();
        let queue = queues.queues.entry(key).or_default();
        queue.push_back(bytes.to_vec());
        let len = queue.len();
        queues.fullest = queues.fullest.max(len);
    }
}

/// Runs plans to the end in one thread, a random machine at a time.
fn interleaved(plans: &[Plan], mut random: u64) -> (Vec<Report>, usize) {
    let queues = Rc::new(RefCell::new(Queues::default()));
    let clock = Clock::starting_now();
    let call = |task: &Task| {
        let links = SharedLinks { queues: Rc::clone(&queues), task: task.clone() };
        CallInFlight::new(task.clone(), links, clock, 1.0)
    };
    let mut calls: Vec<_> = plans.iter().flat_map(Plan::tasks).map(call).collect();
    let mut started = 0;
    let mut reports = Vec::new();
    let mut idle = 0;
    while !calls.is_empty() {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let index = (random >> 33) as usize % calls.len();
        // Ranks start at random moments, too: their neighbours' messages wait for them.
        calls[index].start();
        started += 1;
        match calls[index].step() {
            Turn::Progressed => idle = 0,
            Turn::Blocked => idle += 1,
            Turn::Finished => reports.push(calls.remove(index).report(0, 0)),
        }
        assert!(idle < 100_000, "stuck after {started} steps");
    }
    let fullest = queues.borrow().fullest;
    (reports, fullest)
}

/// Two calls of overlapping groups: world ranks 0..4, and 2..6 in another order.
fn overlapping() -> (Vec<Plan>, Vec<Outputs>) {
    let first = (schedule("ring", Verb::AllReduce, 4, 2, false), run_of(4, 41, 1, 2));
    let second = (schedule("direct", Verb::AllToAll, 4, 1, false), run_of(4, 50, 2, 1));
    let plans = vec![
        plan(&first.0, &first.1).expect("small").on(7, &[0, 1, 2, 3]),
        plan(&second.0, &second.1).expect("small").on(8, &[5, 3, 2, 4]),
    ];
    (plans, vec![reference(&first.0, &first.1), reference(&second.0, &second.1)])
}

#[test]
fn overlapping_groups_do_not_disturb_each_other_in_any_order() {
    let (plans, references) = overlapping();
    for seed in 0..200 {
        let (mut reports, fullest) = interleaved(&plans, seed);
        assert!(fullest <= 2, "{fullest} messages in flight on one connection");
        reports.sort_by_key(|r| r.rank);
        for reference in references.iter().flatten() {
            assert!(reports.iter().any(|r| r.output == *reference), "seed {seed}");
        }
        assert!(reports.iter().all(|r| r.verdict.passed()));
    }
}

#[test]
fn overlapping_groups_run_at_once_on_threads() {
    let (plans, references) = overlapping();
    for _ in 0..20 {
        let results = threads::run(&plans).unwrap();
        for (result, reference) in results.iter().zip(&references) {
            assert_eq!(&result.outputs, reference);
        }
    }
}

#[test]
fn slots_bound_what_is_in_flight() {
    let slow = schedule("linear", Verb::Scatter, 3, 6, false);
    for slots in [1, 3, 6] {
        let plan = plan(&slow, &run_of(3, 60, 3, slots)).unwrap();
        let fullest = (0..20).map(|seed| interleaved(std::slice::from_ref(&plan), seed).1).max();
        let per_connection = slow.messages().iter().map(|m| m.position + 1).max().unwrap();
        assert_eq!(fullest, Some(slots.min(per_connection)));
    }
}

#[test]
fn repetitions_are_counted_verified_and_equal() {
    for in_place in [false, true] {
        let ring = schedule("ring", Verb::AllReduce, 3, 1, in_place);
        let once = plan(&ring, &run_of(3, 30_000, 4, 1)).unwrap();
        let result = &threads::run(&[once.repeated(Repeat::Times(5))]).unwrap()[0];
        assert!(result.verdict.passed());
        let verified = if in_place { 1 } else { 2 };
        assert_eq!(result.verdict.checked, verified * 3 * 30_000);
        for counters in &result.counters {
            assert_eq!((counters.runs, counters.messages), (5, 5 * 4));
            assert_eq!(counters.bytes_sent, 5 * 4 * 10_000 * 4);
            assert_eq!(counters.reduced_bytes, 5 * 2 * 10_000 * 4);
            assert!(counters.reduce_us > 0.0);
            assert_eq!(counters.reduce_timing, Some(ReduceTiming::Calibrated));
        }
        assert!(result.mean_us().unwrap() > 0.0);
        assert_eq!(mean_us(&result.counters), result.mean_us());
        let simulated = simulate(&ring, &run_of(3, 30_000, 4, 1), 0).trace;
        assert_eq!(result.trace.as_ref().unwrap().events.len(), simulated.events.len());
    }
}

#[test]
fn ranks_agree_where_to_stop_whatever_they_are_doing() {
    // A broadcast's root runs ahead, and rank 0 of a Send/Recv of three waits for nobody.
    for (algorithm, verb, n) in
        [("ring", Verb::AllReduce, 3), ("linear", Verb::Broadcast, 4), ("pair", Verb::SendRecv, 3)]
    {
        let schedule = schedule(algorithm, verb, n, 1, false);
        let plan = plan(&schedule, &run_of(n, 16, 5, 1)).unwrap().repeated(Repeat::UntilStopped);
        for seed in 0..60 {
            stop_at_random(&plan, seed);
        }
    }
}

/// Runs until a random moment, then holds rank by rank with work in between, then stops.
fn stop_at_random(plan: &Plan, seed: u64) {
    let queues = Rc::new(RefCell::new(Queues::default()));
    let clock = Clock::starting_now();
    let call = |task: &Task| {
        let links = SharedLinks { queues: Rc::clone(&queues), task: task.clone() };
        CallInFlight::new(task.clone(), links, clock, 1.0)
    };
    let mut calls: Vec<_> = plan.tasks().iter().map(call).collect();
    calls.iter_mut().for_each(CallInFlight::start);
    let mut random = seed;
    let mut some_steps = |calls: &mut Vec<CallInFlight<SharedLinks>>, most: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        for step in 0..(random >> 33) % most {
            let index = ((random >> 20) ^ (step * 7)) as usize % calls.len();
            assert_ne!(calls[index].step(), Turn::Finished, "not before the page says so");
        }
    };
    some_steps(&mut calls, 600);
    let mut last = 0;
    for index in 0..calls.len() {
        last = last.max(calls[index].hold());
        some_steps(&mut calls, 50);
    }
    for call in &mut calls {
        call.stop_after(last);
        for _ in 0..40 {
            call.step();
        }
    }
    let mut rounds = 0;
    while calls.iter_mut().map(CallInFlight::step).filter(|&t| t != Turn::Finished).count() > 0 {
        rounds += 1;
        assert!(rounds < 10_000, "seed {seed}: some rank never stops");
    }
    assert!(queues.borrow().queues.values().all(VecDeque::is_empty), "a message is left over");
    assert!(calls.into_iter().all(|call| call.report(0, 0).verdict.passed()));
}

#[test]
fn plans_over_the_budget_are_refused_before_anything_is_allocated() {
    let ring = schedule("ring", Verb::AllReduce, 4, 1, false);
    let refused = |elements: Vec<usize>| {
        let mut run = run_of(4, 1, 6, 1);
        run.tensor.shape = elements;
        match plan(&ring, &run) {
            Err(RunFault::OverBudget { needed, limit }) => {
                assert_eq!(limit, MEMORY_BUDGET_BYTES);
                assert!(needed > limit);
            }
            other => panic!("{:?}", other.map(|plan| plan.memory_bytes())),
        }
    };
    refused(vec![10 << 28]);
    refused(vec![usize::MAX]);
    refused(vec![usize::MAX, usize::MAX, 3]);
    refused(vec![1 << 29]);
    refused(vec![1 << 27]);
    let mut slots = run_of(4, 1 << 20, 6, usize::MAX);
    assert!(plan(&ring, &slots).is_ok(), "no connection of a ring carries so many messages");
    slots.slots = 0;
    let fault = plan(&ring, &slots).err();
    assert_eq!(fault, Some(RunFault::TooFewSlots { needed: 1, given: 0 }));
    // 4 ranks with input and output, a message in flight each, and room to reduce a block in.
    let mebi = plan(&ring, &run_of(4, 1 << 20, 6, 1)).unwrap().memory_bytes();
    assert_eq!(mebi, 4 * (2 * (4 << 20) + (1 << 20) + (4 << 20)));
}

#[test]
fn long_runs_are_not_traced() {
    let many = schedule("ring", Verb::AllReduce, 200, 1, false);
    let plan = plan(&many, &run_of(200, 600, 7, 1)).unwrap();
    // Reached, received and applied at least, at all but the first op of a rank.
    let ops: usize = many.programs.iter().map(|p| p.ops.len() - 1).sum();
    assert!(ops * 3 > TRACE_EVENTS_MAX);
    assert!(!plan.traced());
    let result = &threads::run(&[plan]).unwrap()[0];
    assert!(result.trace.is_none() && result.verdict.passed());
}

#[test]
fn a_rank_that_waits_for_ever_is_named_and_a_malformed_program_panics() {
    let pair = schedule("pair", Verb::SendRecv, 2, 1, false);
    let proof = check(&pair).unwrap();
    let mut silent = pair.clone();
    silent.programs[0].ops.clear();
    let fault = threads::run(&[Plan::new(&silent, &proof, &run_of(2, 8, 8, 1)).unwrap()]);
    let Err(RunFault::Stalled { waiting, .. }) = fault else { panic!("{fault:?}") };
    assert_eq!(waiting.len(), 1);
    assert_eq!(waiting[0].0, 1);
    let on: Vec<Waiting> = waiting[0].1.blocked.iter().map(|b| b.on).collect();
    assert_eq!(on, [Waiting::Message(Peer { rank: 0, channel: 0 })]);

    let plan = Plan::new(&pair, &proof, &run_of(2, 8, 8, 1)).unwrap();
    let mut task = plan.tasks()[0].clone();
    task.program.ops[0].lane = 9;
    let links = SharedLinks { queues: Rc::default(), task: task.clone() };
    let made = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || {
        CallInFlight::new(task, links, Clock::starting_now(), 1.0);
    }));
    assert!(made.is_err());
}

#[test]
fn a_task_survives_the_wire_and_damage_is_an_error() {
    let ring = schedule("ring", Verb::AllReduce, 3, 1, false);
    let plan = plan(&ring, &run_of(3, 10, 9, 1)).unwrap();
    let task = Box::new(plan.tasks()[1].clone());
    let message = ToRank::Prepare { task, epoch_ms: 1.5 };
    let bytes = postcard::to_allocvec(&message).unwrap();
    assert_eq!(postcard::from_bytes::<ToRank>(&bytes).unwrap(), message);
    assert!(VERSION.contains(&format!(" protocol {PROTOCOL} build ")), "{VERSION}");
    for cut in 0..bytes.len() {
        assert!(postcard::from_bytes::<ToRank>(&bytes[..cut]).is_err(), "cut at {cut}");
    }
}
