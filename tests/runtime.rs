//! The runtime on native threads: the same bits as the simulator, whatever is in flight beside it.
#![cfg(not(target_arch = "wasm32"))]

use expect_test::expect_file;
use ringscope::engine::Rank;
use ringscope::engine::algorithm::{Request, find};
use ringscope::engine::check::{Proof, check};
use ringscope::engine::collective::Verb;
use ringscope::engine::oracle::Inputs;
use ringscope::engine::rank::Waiting;
use ringscope::engine::reduce::{Dtype, MeanKind, ReduceOp, Reduction};
use ringscope::engine::region::Loan;
use ringscope::engine::schedule::{Action, Peer, Schedule};
use ringscope::engine::simulate::{Run, simulate};
use ringscope::engine::tensor::Tensor;
use ringscope::runtime::call::{CallInFlight, Turn};
use ringscope::runtime::cases::{Case, grid};
use ringscope::runtime::clock::Clock;
use ringscope::runtime::measure::Meter;
use ringscope::runtime::outcome::{RunFault, mean_us};
use ringscope::runtime::plan::{MEMORY_BUDGET_BYTES, Plan, TRACE_EVENTS_MAX};
use ringscope::runtime::protocol::{
    Call, PROTOCOL, ReduceTiming, Repeat, Report, Task, ToRank, VERSION,
};
use ringscope::runtime::threads;
use ringscope::runtime::world::{Links, Message};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn schedule(algorithm: &str, verb: Verb, n: usize, pieces: usize, in_place: bool) -> Schedule {
    let algorithm = find(algorithm).expect("in the registry");
    algorithm
        .build(&Request { root: 0, chunks: pieces, in_place, ..Request::new(verb, n) })
        .expect("not refused")
}

fn run_of(n: usize, elements: usize, seed: u64, slots: usize) -> Run {
    Run {
        tensor: Tensor::flat(elements),
        reduction: Reduction::new(ReduceOp::Sum, Dtype::F32, n),
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
    let grid = grid(&[1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let cases: usize = grid.iter().map(Vec::len).sum();
    assert!(cases > 2000, "{cases} cases");
    // The threads of one run mostly wait for each other.
    let next = AtomicUsize::new(0);
    let runs_at_once = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    std::thread::scope(|scope| {
        for _ in 0..runs_at_once {
            scope.spawn(|| {
                while let Some(cases) = grid.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let schedule = cases[0].schedule().unwrap();
                    let proof = check(&schedule).unwrap();
                    cases.iter().for_each(|case| compares(case, &schedule, &proof));
                }
            });
        }
    });
}

/// Runs a case on threads and compares everything with the simulator's.
fn compares(case: &Case, schedule: &Schedule, proof: &Proof) {
    let run = case.run(proof.slots);
    let plan = Plan::new(schedule, proof, &run).expect("small enough");
    let result = threads::run(&[plan]).unwrap_or_else(|fault| panic!("{case}: {fault:?}"));
    let result = &result[0];
    let simulated = simulate(schedule, &run, 0);
    assert!(simulated.stuck.is_empty());
    let outputs: Outputs = simulated.outputs.into_iter().map(Some).collect();
    assert_eq!(result.outputs, outputs, "{case}");
    assert!(result.verdict.passed(), "{case}: {:?}", result.verdict);
    let trace = result.trace.as_ref().expect("it is short enough to be traced");
    assert_eq!(trace.events.len(), simulated.trace.events.len(), "{case}: events");
    let values = |events: &[ringscope::engine::trace::Event]| {
        let mut all: Vec<_> = events.iter().map(|e| (e.rank, e.op, e.values.clone())).collect();
        all.sort();
        all
    };
    assert_eq!(values(&trace.events), values(&simulated.trace.events), "{case}: values shown");
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

/// What travels in the deterministic driver.
enum Parcel {
    Copied(Vec<u8>),
    Lent(Loan),
}

/// A message under way. It is, until it is dropped.
struct Sent {
    parcel: Parcel,
    _slot: Rc<()>,
}

impl Sent {
    fn as_bytes(&self) -> &[u8] {
        match &self.parcel {
            Parcel::Copied(bytes) => bytes,
            Parcel::Lent(loan) => loan.bytes(),
        }
    }
}

impl Message for Sent {
    fn size(&self) -> usize {
        self.as_bytes().len()
    }

    /// A copy is read as over ports, what is lent as in shared memory.
    fn bytes(&self) -> Option<&[u8]> {
        matches!(self.parcel, Parcel::Lent(_)).then(|| self.as_bytes())
    }

    fn copy_to(&self, target: &mut [u8]) {
        target.copy_from_slice(self.as_bytes());
    }
}

/// One connection: what nobody has taken yet, and a token that all messages under way share.
#[derive(Default)]
struct Queue {
    messages: VecDeque<Sent>,
    token: Rc<()>,
}

impl Queue {
    fn occupied(&self) -> usize {
        Rc::strong_count(&self.token) - 1
    }
}

/// Links of the deterministic driver: all queues of the world, shared by everything in one thread.
#[derive(Default)]
struct Queues {
    queues: BTreeMap<(u32, usize, usize, usize), Queue>,
    fullest: usize,
    lent: usize,
}

struct QueueLinks {
    queues: Rc<RefCell<Queues>>,
    task: Task,
}

impl QueueLinks {
    fn key(&self, from: Rank, to: Rank, channel: usize) -> (u32, usize, usize, usize) {
        let members = &self.task.members;
        (self.task.call.group, members[from], members[to], channel)
    }

    fn push(&mut self, to: Peer, parcel: Parcel) {
        let key = self.key(self.task.rank, to.rank, to.channel);
        let mut queues = self.queues.borrow_mut();
        let queue = queues.queues.entry(key).or_default();
        queue.messages.push_back(Sent { parcel, _slot: Rc::clone(&queue.token) });
        let occupied = queue.occupied();
        queues.fullest = queues.fullest.max(occupied);
    }
}

impl Links for QueueLinks {
    type Message = Sent;

    fn receive(&mut self, from: Peer) -> Option<Sent> {
        let key = self.key(from.rank, self.task.rank, from.channel);
        self.queues.borrow_mut().queues.get_mut(&key)?.messages.pop_front()
    }

    fn can_send(&mut self, to: Peer) -> bool {
        let key = self.key(self.task.rank, to.rank, to.channel);
        self.queues.borrow().queues.get(&key).is_none_or(|q| q.occupied() < self.task.slots)
    }

    fn send(&mut self, to: Peer, bytes: &[u8]) {
        self.push(to, Parcel::Copied(bytes.to_vec()));
    }

    fn give(&mut self, to: Peer, bytes: Vec<u8>) -> Vec<u8> {
        self.push(to, Parcel::Copied(bytes));
        Vec::new()
    }

    fn lend(&mut self, to: Peer, loan: Loan) {
        self.queues.borrow_mut().lent += 1;
        self.push(to, Parcel::Lent(loan));
    }

    fn reader(&mut self) -> Option<Peer> {
        let me = self.task.members[self.task.rank];
        let queues = self.queues.borrow();
        let own = |(group, from, ..): (u32, usize, usize, usize)| {
            (group, from) == (self.task.call.group, me)
        };
        let left = queues.queues.iter().find(|(key, queue)| own(**key) && queue.occupied() > 0);
        let (_, _, to, channel) = *left?.0;
        let rank = self.task.members.iter().position(|&member| member == to)?;
        Some(Peer { rank, channel })
    }
}

/// The calls of all tasks, and the queues between them.
fn calls(tasks: &[Task]) -> (Vec<CallInFlight<QueueLinks>>, Rc<RefCell<Queues>>) {
    let queues = Rc::new(RefCell::new(Queues::default()));
    let clock = Clock::starting_now();
    let call = |task: &Task| {
        let links = QueueLinks { queues: Rc::clone(&queues), task: task.clone() };
        CallInFlight::new(task.clone(), links, clock, 1.0)
    };
    (tasks.iter().map(call).collect(), queues)
}

/// Runs tasks to the end in one thread, a random machine at a time; `slow` goes on only when all
/// others are blocked.
fn interleaved(
    tasks: &[Task],
    slow: Option<Rank>,
    mut random: u64,
) -> (Vec<Report>, Rc<RefCell<Queues>>) {
    let (mut calls, queues) = calls(tasks);
    let mut started = 0;
    let mut reports = Vec::new();
    let mut idle = 0;
    while !calls.is_empty() {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let index = (random >> 33) as usize % calls.len();
        // Ranks start at random moments, too: their neighbours' messages wait for them.
        calls[index].start();
        started += 1;
        if slow == Some(calls[index].task().rank) && idle < 50 {
            idle += 1;
            continue;
        }
        match calls[index].step() {
            Turn::Progressed => idle = 0,
            Turn::Blocked => idle += 1,
            Turn::Finished => {
                reports.push(calls.remove(index).report(0, 0));
                idle = 0;
            }
        }
        assert!(idle < 100_000, "stuck after {started} steps");
    }
    (reports, queues)
}

/// All tasks of plans.
fn tasks(plans: &[Plan]) -> Vec<Task> {
    plans.iter().flat_map(Plan::tasks).cloned().collect()
}

#[test]
fn lent_memory_is_read_right_however_slow_its_reader_is() {
    let mut lent = 0;
    for cases in grid(&[2, 3, 4, 5]) {
        let case = &cases[0];
        let schedule = case.schedule().unwrap();
        let proof = check(&schedule).unwrap();
        let run = case.run(proof.slots + 3);
        let plan = Plan::new(&schedule, &proof, &run)
            .unwrap()
            .repeated(Repeat::Batches { batches: 1, of: 2 });
        let right = reference(&schedule, &run);
        for slow in 0..schedule.collective.ranks {
            let (mut reports, queues) = interleaved(plan.tasks(), Some(slow), slow as u64);
            reports.sort_by_key(|report| report.rank);
            assert!(reports.iter().all(|report| report.verdict.passed()), "{case}, slow {slow}");
            let outputs: Outputs = reports.into_iter().map(|report| report.output).collect();
            assert!(schedule.in_place || outputs == right, "{case}, slow {slow}");
            lent += queues.borrow().lent;
        }
    }
    assert!(lent > 10_000, "{lent} messages were lent");
}

/// Tasks that go over their buffers in so many passes, whatever their length.
fn in_passes(tasks: &[Task], passes: usize) -> Vec<Task> {
    tasks.iter().cloned().map(|task| Task { passes, ..task }).collect()
}

#[test]
fn in_several_passes_results_are_the_same() {
    let mut pieces = 0;
    for cases in grid(&[2, 3, 4, 5, 8]) {
        let case = Case { elements: 1_001, ..cases[0] };
        let schedule = case.schedule().unwrap();
        let ops = || schedule.programs.iter().flat_map(|program| &program.ops);
        if ops().any(|op| op.action.count() > 1) {
            continue;
        }
        let run = case.run(check(&schedule).unwrap().slots);
        let tasks = tasks(&[plan(&schedule, &run).unwrap().untraced()]);
        let right = reference(&schedule, &run);
        for (passes, slow) in [(2, None), (3, Some(0)), (7, Some(1)), (40, None)] {
            let (mut reports, _) = interleaved(&in_passes(&tasks, passes), slow, passes as u64);
            reports.sort_by_key(|report| report.rank);
            assert!(reports.iter().all(|report| report.verdict.passed()), "{case}, {passes}");
            pieces += reports.iter().map(|report| report.counters.messages).sum::<u64>();
            let outputs: Outputs = reports.into_iter().map(|report| report.output).collect();
            assert_eq!(outputs, right, "{case}, {passes} passes");
        }
    }
    assert!(pieces > 50_000, "{pieces} messages");
}

#[test]
fn long_messages_travel_in_pieces_except_in_a_trace() {
    let passes = |algorithm, elements| {
        let schedule = schedule(algorithm, Verb::AllReduce, 4, 1, false);
        let plan = plan(&schedule, &run_of(4, elements, 1, 4)).unwrap();
        let passes: Vec<_> = plan.tasks().iter().map(|task| task.passes).collect();
        assert!(passes.iter().all(|of| *of == passes[0]), "{algorithm}: {passes:?}");
        passes[0]
    };
    // Chunks of a mebibyte are whole; a ring of four has four of them, a tree one.
    let mebi = 1 << 18;
    assert_eq!([4 * mebi, 4 * mebi + 1, 9 * mebi].map(|e| passes("ring", e)), [1, 2, 3]);
    assert_eq!([0, mebi, 4 * mebi].map(|e| passes("tree", e)), [1, 1, 4]);
    // Its messages are of several chunks, the parts of which do not lie together...
    assert_eq!(passes("rabenseifner", 64 * mebi), 1);
    // ... and would be the wrong ones.
    let schedule = schedule("rabenseifner", Verb::AllReduce, 4, 1, false);
    let plan = plan(&schedule, &run_of(4, 1_000, 1, 4)).unwrap().untraced();
    let (reports, _) = interleaved(&in_passes(plan.tasks(), 2), None, 0);
    assert!(!reports.iter().all(|report| report.verdict.passed()));

    let ring = self::schedule("ring", Verb::AllReduce, 4, 1, false);
    let traced = self::plan(&ring, &run_of(4, 1_000, 1, 4)).unwrap();
    for (plan, times) in [(traced.clone(), 1), (traced.untraced(), 2)] {
        let (reports, _) = interleaved(&in_passes(plan.tasks(), 2), None, 0);
        let messages: u64 = reports.iter().map(|report| report.counters.messages).sum();
        assert_eq!(messages, times * ring.messages().len() as u64);
    }
}

/// The promise of [`Region::lend`](ringscope::engine::region::Region::lend) is broken on purpose:
/// in one thread, where nothing can be read while it is written.
#[test]
fn only_what_is_scaled_as_it_is_read_has_to_be_copied() {
    let schedule = schedule("ring", Verb::ReduceScatter, 2, 1, false);
    let pre_scaled = ReduceOp::Mean(MeanKind::PreScale);
    for (op, lent) in [(ReduceOp::Sum, 2), (ReduceOp::Max, 2), (pre_scaled, 0)] {
        let reduction = Reduction::new(op, Dtype::F32, 2);
        let plan = plan(&schedule, &Run { reduction, ..run_of(2, 64, 1, 1) }).unwrap();
        let (reports, queues) = interleaved(plan.tasks(), None, 0);
        assert!(reports.iter().all(|report| report.verdict.passed()), "{op:?}");
        assert_eq!(queues.borrow().lent, lent, "{op:?}");
    }
}

#[test]
fn what_is_added_to_one_span_is_added_up_in_one_pass() {
    let direct = schedule("direct", Verb::ReduceScatter, 4, 1, false);
    let plan = plan(&direct, &run_of(4, 64, 1, 1)).unwrap();
    for (plan, together) in [(plan.clone().untraced(), 3), (plan, 0)] {
        let (mut calls, queues) = calls(plan.tasks());
        let held = || {
            let queues = queues.borrow();
            queues
                .queues
                .values()
                .map(|queue| queue.occupied() - queue.messages.len())
                .sum::<usize>()
        };
        let mut most = 0;
        // One rank after the other goes as far as it can: the last one finds all messages.
        for _ in 0..2 {
            for call in &mut calls {
                call.start();
                while call.step() == Turn::Progressed {
                    most = held().max(most);
                }
                assert_eq!(held(), 0, "a rank waits, or has ended, and holds messages");
            }
        }
        assert_eq!(most, together, "traced, every sum is shown");
    }
}

#[test]
fn memory_lent_against_the_analysis_is_found() {
    let doubling = schedule("recursive-doubling", Verb::AllReduce, 4, 1, true);
    let plan = plan(&doubling, &run_of(4, 64, 11, 4)).unwrap();
    let mut daring = plan.tasks().to_vec();
    assert!(daring.iter().any(|task| task.lends.contains(&false)), "all of it may be lent");
    daring.iter_mut().for_each(|task| task.lends.fill(true));
    let found = (0..4).filter(|&slow| {
        let run = || interleaved(&daring, Some(slow), 1).0;
        // With debug assertions the region sees the write, without them the verdict sees its bits.
        match std::panic::catch_unwind(run) {
            Ok(reports) => reports.iter().any(|report| !report.verdict.passed()),
            Err(panic) => {
                panic.downcast_ref::<String>().is_some_and(|said| said.contains("is lent"))
            }
        }
    });
    assert!(found.count() > 0);
    let honest = (0..4).all(|slow| {
        let reports = interleaved(plan.tasks(), Some(slow), 1).0;
        reports.iter().all(|report| report.verdict.passed())
    });
    assert!(honest);
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
        let (mut reports, queues) = interleaved(&tasks(&plans), None, seed);
        let fullest = queues.borrow().fullest;
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
        let fullest = |seed| interleaved(plan.tasks(), None, seed).1.borrow().fullest;
        let fullest = (0..20).map(fullest).max();
        let per_connection = slow.messages().iter().map(|m| m.position + 1).max().unwrap();
        assert_eq!(fullest, Some(slots.min(per_connection)));
    }
}

#[test]
fn repetitions_are_counted_verified_and_equal() {
    for in_place in [false, true] {
        let ring = schedule("ring", Verb::AllReduce, 3, 1, in_place);
        let once = plan(&ring, &run_of(3, 30_000, 4, 1)).unwrap();
        let repeat = Repeat::Batches { batches: 2, of: 3 };
        let result = &threads::run(&[once.repeated(repeat)]).unwrap()[0];
        assert!(result.verdict.passed());
        assert_eq!(result.batches_us.len(), 2);
        assert!(result.batches_us.iter().all(|&batch| batch > 0.0));
        // Of each batch the slowest rank counts: together they are no shorter than any rank's time.
        let (total, mean) = (result.batches_us.iter().sum::<f64>(), result.mean_us().unwrap());
        assert!(total >= 6.0 * mean - 1e-6, "{total} {mean}");
        let verified = if in_place { 1 } else { 2 };
        assert_eq!(result.verdict.checked, verified * 3 * 30_000);
        for counters in &result.counters {
            assert_eq!((counters.runs, counters.messages), (6, 6 * 4));
            assert_eq!(counters.bytes_sent, 6 * 4 * 10_000 * 4);
            assert_eq!(counters.reduced_bytes, 6 * 2 * 10_000 * 4);
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
fn a_meter_repeats_until_its_batches_are_long_enough_and_remembers_how_often() {
    let ring = schedule("ring", Verb::AllReduce, 2, 1, false);
    let mut meter = Meter::new(plan(&ring, &run_of(2, 64, 4, 1)).unwrap());
    let mut tries = 0;
    let mut run = |meter: &mut Meter, batches| loop {
        tries += 1;
        let result = threads::run(&[meter.plan(batches)]).unwrap().remove(0);
        if let Some(timed) = meter.read(&result) {
            assert!(result.trace.is_none());
            return (timed, tries);
        }
    };
    let (timed, tries) = run(&mut meter, 3);
    assert!(tries > 1 && timed.repetitions > 1, "64 elements take no 10 ms");
    assert_eq!(timed.us.len(), 3);
    for us in timed.us {
        assert!(us * f64::from(timed.repetitions) >= 10_000.0);
    }
    assert!(timed.verdict.passed() && timed.verdict.checked > 0);
    assert_eq!(
        meter.plan(1).tasks()[0].repeat,
        Repeat::Batches { batches: 1, of: timed.repetitions }
    );
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
    let (mut calls, queues) = calls(plan.tasks());
    calls.iter_mut().for_each(CallInFlight::start);
    let mut random = seed;
    let mut some_steps = |calls: &mut Vec<CallInFlight<QueueLinks>>, most: u64| {
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
    let queues = queues.borrow();
    assert!(queues.queues.values().all(|queue| queue.occupied() == 0), "a message is left over");
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
    // No worker is a switch.
    let through_switch = schedule("nvls", Verb::AllReduce, 4, 1, false);
    let fault = plan(&through_switch, &run_of(4, 64, 6, 1)).err();
    assert_eq!(fault, Some(RunFault::NeedsSwitch));
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
    let links = QueueLinks { queues: Rc::default(), task: task.clone() };
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

/// A journey makes a rank panic by a message that only a wrong page would send: to stop its first
/// call before what has begun. The file has it as it is posted, the protocol's number and the
/// bytes.
#[test]
fn the_journeys_speak_this_protocol() {
    let call = Call { group: 0, call: 1 };
    let stop = postcard::to_allocvec(&ToRank::StopAfter { call, repetition: 0 });
    let posted = serde_json::to_string(&(PROTOCOL, stop.expect("it can be written")));
    expect_file!["e2e/stop-after.json"].assert_eq(&(posted.expect("it is JSON") + "\n"));
}
