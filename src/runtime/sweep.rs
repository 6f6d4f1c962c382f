//! The self-check: the whole grid of small runs on this browser's real workers.

use super::cases::{Case, grid};
use super::pool::Pool;
use crate::engine::check::check;
use crate::engine::simulate::simulate;
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::prelude::*;

/// After so many failures the rest would say the same.
const FAILURES_MAX: usize = 20;

/// Group sizes that a self-check runs, unless others are asked for.
pub const SIZES: [usize; 8] = [1, 2, 3, 4, 5, 6, 7, 8];

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

/// Runs the grid for these group sizes, telling after each run how many of how many are done.
pub async fn sweep(pool: &Pool, sizes: &[usize], on_case: impl Fn(usize, usize)) -> Summary {
    let cases = grid(sizes);
    let mut summary = Summary::default();
    for (index, case) in cases.iter().enumerate() {
        summary.cases += 1;
        match verify(pool, case).await {
            Ok(()) => summary.verified += 1,
            Err(why) => summary.failures.push(format!("{case}: {why}")),
        }
        if summary.failures.len() >= FAILURES_MAX {
            break;
        }
        on_case(index + 1, cases.len());
    }
    summary
}

/// One run; `Err` says what is wrong with it.
async fn verify(pool: &Pool, case: &Case) -> Result<(), String> {
    let plan = case.plan()?;
    let proof = check(plan.schedule()).map_err(|fault| fault.to_string())?;
    let simulated = simulate(plan.schedule(), &case.run(proof.slots), 0);
    let result = pool.run(plan, |_| ()).await.map_err(|fault| format!("{fault:?}"))?;
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

/// The self-check for scripts: `spec` is `{ sizes?: number[] }`, the answer
/// `{ cases, verified, failures: string[] }`.
///
/// # Errors
/// A sentence, if `spec.sizes` is anything but an array of whole numbers from 1 to 64.
pub async fn sweep_for_scripts(pool: &Pool, spec: &JsValue) -> Result<JsValue, JsValue> {
    let asked =
        if spec.is_object() { Reflect::get(spec, &"sizes".into())? } else { JsValue::UNDEFINED };
    let sizes = if asked.is_undefined() { Some(SIZES.to_vec()) } else { sizes_of(&asked) };
    let sizes = sizes.ok_or("sizes: an array of whole numbers from 1 to 64, like [2, 3, 4]")?;
    let summary = sweep(pool, &sizes, |_, _| ()).await;
    let answer = Object::new();
    Reflect::set(&answer, &"cases".into(), &(summary.cases as f64).into())?;
    Reflect::set(&answer, &"verified".into(), &(summary.verified as f64).into())?;
    let failures: Array = summary.failures.iter().map(|text| JsValue::from_str(text)).collect();
    Reflect::set(&answer, &"failures".into(), &failures)?;
    Ok(answer.into())
}

fn sizes_of(asked: &JsValue) -> Option<Vec<usize>> {
    let number = |value: JsValue| {
        let number = value.as_f64()?;
        let fine = (1.0..=RANKS_MAX).contains(&number) && number.fract() == 0.0;
        fine.then_some(number as usize)
    };
    asked.dyn_ref::<Array>()?.iter().map(number).collect()
}
