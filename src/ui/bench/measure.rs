//! Measuring on workers.

use super::choice::at;
use super::record::{MAX_BATCHES, Record};
use super::state::{Msg, Progress, Remark};
use crate::runtime::measure::{Meter, Timed};
use crate::runtime::outcome::RunFault;
use crate::runtime::pool::Pool;
use crate::ui::browser::origin;
use crate::ui::scenario::{Page, Prepared, Scenario, parse};
use crate::ui::shared::Shared;
use crate::ui::text::{Lang, faults, notices};
use js_sys::JSON;
use serde::Deserialize;
use wasm_bindgen::JsValue;

/// What is said of a specification that is none.
const USAGE: &str = r#"a benchmark is { links: ["allreduce?n=4&size=16MiB"], batches: 5 }"#;

/// Batches of which the median is taken.
pub const BATCHES: u32 = 5;

/// Most batches of one measurement.
const BATCHES_MAX: u32 = MAX_BATCHES as u32;

/// What scripts ask for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Spec {
    links: Vec<String>,
    #[serde(default = "usual_batches")]
    batches: u32,
}

fn usual_batches() -> u32 {
    BATCHES
}

impl Spec {
    fn read(spec: &JsValue) -> Result<Spec, String> {
        let text = JSON::stringify(spec).ok().and_then(|text| text.as_string());
        let spec: Spec = serde_json::from_str(&text.unwrap_or_default())
            .map_err(|error| format!("{USAGE}: {error}"))?;
        if !(1..=BATCHES_MAX).contains(&spec.batches) {
            return Err(format!("batches: {} is not from 1 to {BATCHES_MAX}", spec.batches));
        }
        Ok(spec)
    }
}

/// Measures one scenario after the other, for scripts. `spec` is
/// `{ links: string[], batches?: number }`, the answer a [`Record`] as a JS object.
///
/// # Errors
/// A sentence: `spec` is no such thing, a link names nothing that can run, or a run failed.
pub async fn measure_for_scripts(pool: &Pool, spec: &JsValue) -> Result<JsValue, JsValue> {
    let spec = Spec::read(spec)?;
    let scenarios: Result<Vec<_>, _> = spec.links.iter().map(|link| scenario(link)).collect();
    let mut record = Record::new(origin());
    for (link, scenario) in spec.links.iter().zip(scenarios?) {
        let say = |why: String| format!("{link}: {why}");
        let prepared = scenario.prepare().map_err(|why| say(format!("{why:?}")))?;
        let timed = measure(pool, &prepared, spec.batches).await;
        let timed = timed.map_err(|fault| say(faults::fault(Lang::En, &fault)))?;
        record.add(link.clone(), bytes(&prepared), &timed);
    }
    let text = serde_json::to_string(&record).map_err(|error| error.to_string())?;
    JSON::parse(&text)
}

/// The scenario that a link names, if nothing is wrong with the link.
fn scenario(link: &str) -> Result<Scenario, String> {
    let (page, scenario, wrong) = parse(link);
    match wrong.first() {
        Some(notice) => Err(format!("{link}: {}", notices::notice(Lang::En, notice))),
        None if page != Page::Player => Err(format!("{link}: a page, and no collective")),
        None => Ok(scenario),
    }
}

/// The whole vector, in bytes as they travel.
fn bytes(prepared: &Prepared) -> u64 {
    (prepared.lengths.total() * prepared.run.reduction.wire().size_bytes()) as u64
}

async fn measure(pool: &Pool, prepared: &Prepared, batches: u32) -> Result<Timed, RunFault> {
    let plan = prepared.plan()?;
    Meter::new(plan).run(pool, batches).await
}

/// Measures all curves at all sizes, size by size, so that a part of them is a whole picture.
/// Whatever does not fit into memory is left out, from that size on.
///
/// # Errors
/// What ended it before its time.
pub async fn sweep(
    pool: &Pool,
    curves: Vec<Scenario>,
    sizes: Vec<u64>,
    tell: impl Fn(Msg),
) -> Result<(), RunFault> {
    let all = curves.len() * sizes.len();
    let mut curves: Vec<Option<Scenario>> = curves.into_iter().map(Some).collect();
    let (mut record, mut done) = (Record::new(origin()), 0);
    for bytes in sizes {
        for place in &mut curves {
            let now = place.as_ref().map(|curve| (at(curve, bytes), bytes));
            tell(Msg::Progress(
                Progress { done, all, now: now.clone() },
                Shared::new(record.clone()),
            ));
            done += 1;
            let Some((scenario, _)) = now else { continue };
            let Ok(prepared) = scenario.prepare() else { continue };
            match measure(pool, &prepared, BATCHES).await {
                Ok(timed) => record.add(scenario.fragment(), self::bytes(&prepared), &timed),
                Err(fault @ (RunFault::OverBudget { .. } | RunFault::OutOfMemory { .. })) => {
                    tell(Msg::Remark(Remark::Unmeasured(scenario, bytes, fault)));
                    *place = None;
                }
                Err(fault) => {
                    tell(Msg::Progress(Progress { done, all, now: None }, Shared::new(record)));
                    return Err(fault);
                }
            }
        }
    }
    tell(Msg::Progress(Progress { done, all, now: None }, Shared::new(record)));
    Ok(())
}
