//! The native driver: one thread per world rank, over shared memory.
//!
//! All calls are in flight at once, whatever groups they are of: a thread takes its calls in turn
//! and sleeps when all of them are blocked, until a neighbour rings.

use super::call::{CallInFlight, Turn};
use super::clock::Clock;
use super::outcome::{RunFault, RunResult};
use super::plan::Plan;
use super::protocol::{Call, RankState, Repeat, Report, Task};
use super::switchboard::{Doorbell, SharedLinks, Switchboard, spins};
use super::transport::{Via, Wiring};
use crate::engine::Rank;
use std::collections::BTreeMap;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

/// A thread that gets nowhere for so long is stuck, in microseconds.
const PATIENCE_US: f64 = 3_000_000.0;

/// How long a thread sleeps before it looks whether it is.
const SLEEP: Duration = Duration::from_millis(100);

/// Runs all plans at once and returns their results in the same order.
///
/// # Errors
/// [`RunFault::Stalled`] or [`RunFault::Panicked`] for all of them.
///
/// # Panics
/// If a plan is to be repeated until stopped: there is nobody to stop it.
pub fn run(plans: &[Plan]) -> Result<Vec<RunResult>, RunFault> {
    let mut ranks: BTreeMap<usize, Vec<Task>> = BTreeMap::new();
    for (number, plan) in plans.iter().enumerate() {
        let plan = plan.clone().numbered(number as u32);
        for task in plan.tasks() {
            assert_ne!(task.repeat, Repeat::UntilStopped, "nobody would stop it");
            ranks.entry(task.members[task.rank]).or_default().push(task.clone());
        }
    }
    let switchboard = Switchboard::new();
    let clock = Clock::starting_now();
    let tick = clock.resolution_us();
    let prepare = |task: Task| {
        let links = switchboard.links(&task);
        CallInFlight::new(task, links, clock, tick)
    };
    let ranks = on_threads(ranks, |_, calls| calls.into_iter().map(prepare).collect::<Vec<_>>())?;
    let barrier = Barrier::new(ranks.len());
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    let spins = spins(ranks.len(), cores);
    let ended = on_threads(ranks, |world_rank, calls| {
        let bell = switchboard.bell(world_rank);
        bell.attend();
        barrier.wait();
        drive(calls, &bell, spins, clock)
    })?;
    let mut reports: Vec<Vec<Report>> = plans.iter().map(|_| Vec::new()).collect();
    let mut waiting = Vec::new();
    for rank in ended.into_values() {
        match rank {
            Ok(rank) => {
                rank.into_iter().for_each(|(c, report)| reports[c.call as usize].push(report))
            }
            Err(stuck) => waiting.extend(stuck),
        }
    }
    if !waiting.is_empty() {
        return Err(RunFault::Stalled { after_ms: PATIENCE_US / 1000.0, waiting });
    }
    reports.iter_mut().for_each(|own| own.sort_by_key(|report| report.rank));
    let results = plans.iter().zip(reports);
    Ok(results
        .map(|(p, reports)| {
            RunResult::new(p.schedule(), p.traced(), Wiring::of(Via::Shared), reports)
        })
        .collect())
}

/// Applies `work` to every rank's part, each on a thread of its own.
fn on_threads<T: Send, R: Send>(
    parts: BTreeMap<usize, T>,
    work: impl Fn(usize, T) -> R + Sync,
) -> Result<BTreeMap<usize, R>, RunFault> {
    thread::scope(|scope| {
        let spawn = |(rank, part)| {
            let work = &work;
            (rank, scope.spawn(move || work(rank, part)))
        };
        let threads: Vec<_> = parts.into_iter().map(spawn).collect();
        let join = |(rank, thread): (usize, thread::ScopedJoinHandle<'_, R>)| match thread.join() {
            Ok(result) => Ok((rank, result)),
            Err(panic) => {
                let said = panic.downcast_ref::<String>().cloned();
                let said = said.or(panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
                Err(RunFault::Panicked { rank, message: said.unwrap_or_default() })
            }
        };
        threads.into_iter().map(join).collect()
    })
}

/// The calls that a rank has ended.
type Ended = Vec<(Call, Report)>;

/// Where a rank stands, call by call, that nobody rings any more.
type Stuck = Vec<(Rank, RankState)>;

/// What one rank's thread does: all its calls in turn.
fn drive(
    mut calls: Vec<CallInFlight<SharedLinks>>,
    bell: &Doorbell,
    spins: u32,
    clock: Clock,
) -> Result<Ended, Stuck> {
    calls.iter_mut().for_each(CallInFlight::start);
    let mut ended = Vec::new();
    // Since when it has been getting nowhere, if it is.
    let mut standing_us = None;
    loop {
        let (rings, mut moved) = (bell.rings(), false);
        let mut index = 0;
        while index < calls.len() {
            match calls[index].step() {
                Turn::Progressed => moved = true,
                Turn::Blocked => {}
                Turn::Finished => {
                    let call = calls.remove(index);
                    ended.push((call.task().call, call.report(0, 0)));
                    moved = true;
                    continue;
                }
            }
            index += 1;
        }
        if calls.is_empty() {
            return Ok(ended);
        }
        if moved {
            standing_us = None;
            continue;
        }
        let now_us = clock.now_us();
        if now_us - *standing_us.get_or_insert(now_us) > PATIENCE_US {
            return Err(calls.iter().map(|call| (call.task().rank, call.state())).collect());
        }
        bell.wait(rings, spins, SLEEP);
    }
}
