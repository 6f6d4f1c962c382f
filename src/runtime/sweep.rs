//! The self-check: the whole grid of small runs on this browser's real workers.

use super::cases::{Case, grid};
use super::plan::Plan;
use super::pool::Pool;
use super::transport::Via;
use crate::engine::check::{Proof, check};
use crate::engine::schedule::Schedule;
use crate::engine::simulate::simulate;
use js_sys::{Array, Object, Reflect};
use std::future::poll_fn;
use std::task::Poll;
use wasm_bindgen::prelude::*;

/// After so many failures the rest would say the same.
const FAILURES_MAX: usize = 20;

/// So many runs are in flight at once, so that page and ranks do not wait for each other.
const AT_ONCE: usize = 8;

/// Group sizes that a self-check runs, unless others are asked for.
pub const SIZES: [usize; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 16];

/// More workers than this are never asked for.
const RANKS_MAX: f64 = 64.0;

/// What a self-check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Runs tried.
    pub cases: usize,
    /// Runs whose every element passed both verdicts and equals the simulator's.
    pub verified: usize,
    /// What went wrong, run by run.
    pub failures: Vec<String>,
}

/// Runs the grid for these group sizes, with messages that go `via` if they can, telling now and
/// then how many of how many are done.
pub async fn sweep(
    pool: &Pool,
    sizes: &[usize],
    via: Via,
    on_cases: impl Fn(usize, usize),
) -> Summary {
    let grid = grid(sizes);
    let all = grid.iter().map(Vec::len).sum();
    let mut summary = Summary::default();
    for cases in &grid {
        let proven = cases.first().and_then(Case::schedule).map(|schedule| {
            let proof = check(&schedule);
            (schedule, proof)
        });
        for cases in cases.chunks(AT_ONCE) {
            let verified = match &proven {
                Some((schedule, Ok(proof))) => {
                    let run = |case| verify(pool, case, schedule, proof, via);
                    together(cases.iter().map(run).collect()).await
                }
                Some((_, Err(fault))) => vec![Err(fault.to_string()); cases.len()],
                None => vec![Err("no schedule".to_string()); cases.len()],
            };
            summary.cases += cases.len();
            for (case, verified) in cases.iter().zip(verified) {
                match verified {
                    Ok(()) => summary.verified += 1,
                    Err(why) => summary.failures.push(format!("{case}: {why}")),
                }
            }
            if summary.failures.len() >= FAILURES_MAX {
                return summary;
            }
            on_cases(summary.cases, all);
        }
    }
    summary
}

/// Waits for all of them, side by side.
async fn together<T>(futures: Vec<impl Future<Output = T>>) -> Vec<T> {
    let mut pending: Vec<_> = futures.into_iter().map(|future| (Box::pin(future), None)).collect();
    poll_fn(|context| {
        for (future, result) in pending.iter_mut().filter(|(_, result)| result.is_none()) {
            if let Poll::Ready(value) = future.as_mut().poll(context) {
                *result = Some(value);
            }
        }
        let all = pending.iter().all(|(_, result)| result.is_some());
        if all { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    pending.into_iter().filter_map(|(_, result)| result).collect()
}

/// One run; `Err` says what is wrong with it.
async fn verify(
    pool: &Pool,
    case: &Case,
    schedule: &Schedule,
    proof: &Proof,
    via: Via,
) -> Result<(), String> {
    let run = case.run(proof.slots);
    let plan = Plan::new(schedule, proof, &run).map_err(|fault| format!("{fault:?}"))?;
    let simulated = simulate(schedule, &run, 0);
    let result = pool.run(plan.via(via), |_| ()).await.map_err(|fault| format!("{fault:?}"))?;
    if !result.verdict.passed() {
        return Err(format!("{:?}", result.verdict));
    }
    let outputs = result.outputs.iter().zip(&simulated.outputs);
    let wrong = outputs.enumerate().find(|(_, (real, simulated))| real.as_ref() != Some(simulated));
    if let Some((rank, _)) = wrong {
        return Err(format!("rank {rank} differs from the simulator"));
    }
    let events = result.trace.map_or(0, |trace| trace.events.len());
    if events != simulated.trace.events.len() {
        return Err(format!("{events} events, simulated {}", simulated.trace.events.len()));
    }
    if result.ignored > 0 {
        return Err(format!("{} messages were not understood", result.ignored));
    }
    Ok(())
}

/// The self-check for scripts: `spec` is `{ sizes?: number[], via?: "shared" | "ports" }`, the
/// answer `{ cases, verified, failures: string[], via }`.
///
/// # Errors
/// A sentence, if `spec.sizes` is anything but an array of whole numbers from 1 to 64, or
/// `spec.via` is neither.
pub async fn sweep_for_scripts(pool: &Pool, spec: &JsValue) -> Result<JsValue, JsValue> {
    let field = |name: &str| match spec.is_object() {
        true => Reflect::get(spec, &name.into()),
        false => Ok(JsValue::UNDEFINED),
    };
    let (asked, via) = (field("sizes")?, named(&field("via")?)?);
    let sizes = if asked.is_undefined() { Some(SIZES.to_vec()) } else { sizes_of(&asked) };
    let sizes = sizes.ok_or("sizes: an array of whole numbers from 1 to 64, like [2, 3, 4]")?;
    let summary = sweep(pool, &sizes, via, |_, _| ()).await;
    let answer = Object::new();
    Reflect::set(&answer, &"cases".into(), &(summary.cases as f64).into())?;
    Reflect::set(&answer, &"verified".into(), &(summary.verified as f64).into())?;
    let failures: Array = summary.failures.iter().map(|text| JsValue::from_str(text)).collect();
    Reflect::set(&answer, &"failures".into(), &failures)?;
    Reflect::set(&answer, &"via".into(), &pool.status().wiring.via.name().into())?;
    Ok(answer.into())
}

/// The way for messages with this name; the faster where there is none.
///
/// # Errors
/// A sentence, if it is the name of no way.
pub fn named(via: &JsValue) -> Result<Via, JsValue> {
    let is = |way: &Via| via.is_undefined() || via.as_string().as_deref() == Some(way.name());
    Ok(Via::ALL.into_iter().find(is).ok_or("via: \"shared\" or \"ports\"")?)
}

fn sizes_of(asked: &JsValue) -> Option<Vec<usize>> {
    let number = |value: JsValue| {
        let number = value.as_f64()?;
        let fine = (1.0..=RANKS_MAX).contains(&number) && number.fract() == 0.0;
        fine.then_some(number as usize)
    };
    asked.dyn_ref::<Array>()?.iter().map(number).collect()
}
