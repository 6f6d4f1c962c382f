//! What the player shows beside the stage: throughput, cost, verdict, log and code.

use super::browser::cores;
use super::embed::shows;
use super::inspector::{Code, CostStrip, Log, contest};
use super::isolation;
use super::result::{order, result};
use super::state::Player as State;
use super::text::inspector::cost::Measured;
use super::text::params::{Params as Words, op_note};
use super::text::{Lang, faults, fill, links};
use super::throughput::Throughput;
use crate::engine::collective::Verb;
use std::fmt::Display;
use yew::prelude::*;

/// The panels, of which an embedded page shows those that were asked for.
pub fn panels(
    lang: Lang,
    dark: bool,
    state: &UseReducerHandle<State>,
    on_seek: Callback<f64>,
    on_select: Callback<usize>,
) -> Html {
    let (prepared, replay) = (state.take.prepared.clone(), state.act.replay.clone());
    let (time, selected) = (state.head.time, state.scenario.view.selected);
    html! {
        <>
            if shows("cost") { { costs(lang, dark, state) } }
            if shows("log") {
                <Log {lang} prepared={prepared.clone()} replay={replay.clone()} {time} {selected}
                    {on_seek} />
            }
            if shows("code") { <Code {lang} {prepared} {replay} {time} {selected} {on_select} /> }
        </>
    }
}

/// What the run costs, what was measured of it, and whether its result is right.
fn costs(lang: Lang, dark: bool, state: &UseReducerHandle<State>) -> Html {
    let s = &state.scenario;
    let measured = state.take.recorded.as_ref().map(|recorded| Measured {
        // One run is timed from the first rank's begin to the last rank's end, as the track shows
        // it; many are averaged.
        time_us: recorded.mean_us().filter(|_| recorded.repeated()).unwrap_or(recorded.first_us),
        resolution_us: recorded.resolution_us,
        runs: recorded.counters.iter().map(|counters| counters.runs).max().unwrap_or(1),
    });
    let crowded = state.take.recorded.is_some() && s.ranks > cores();
    let crowded = crowded.then(|| {
        let counts: [(&str, &dyn Display); 2] = [("ranks", &s.ranks), ("cores", &cores())];
        fill(Words::of(lang).more_ranks_than_cores, &counts)
    });
    let note = op_note(lang, s.op, s.dtype).filter(|_| s.verb.reduces());
    let prepared = &state.take.prepared;
    let bytes = prepared.lengths.total() * prepared.run.reduction.wire().size_bytes();
    let messages = prepared.rounds.messages.iter().max().copied().unwrap_or(0);
    let wiring = state.take.recorded.as_ref().and_then(|run| faults::wiring(lang, &run.wiring));
    let verdict = state.take.recorded.as_ref().map(|recorded| match s.verb {
        Verb::Barrier if recorded.verdict.passed() => Words::of(lang).barrier_held.to_string(),
        _ => faults::verdict(lang, &recorded.verdict).1,
    });
    html! {
        <>
            if let Some(progress) = &state.progress {
                <Throughput {lang} collective={prepared.schedule.collective} bytes={bytes as u64}
                    messages={messages as u64} progress={progress.clone()} {dark} />
            }
            <CostStrip {lang} prepared={prepared.clone()} topology={s.view.topology} {measured} />
            <div class="section quiet notes">
                <p>
                    { links::LinkWords::of(lang).source }{ lang.colon() }
                    <span lang="en">{ s.view.topology.source }</span>
                </p>
                <p>{ links::family_note(lang, s.view.topology.family) }</p>
                if let Some(machine) = links::machine(lang, s.view.topology) { <p>{ machine }</p> }
                if let Some(crowded) = crowded { <p>{ crowded }</p> }
                if let Some(wiring) = wiring { <p>{ wiring }</p> }
                { isolation::offer(lang, state) }
                if let Some(note) = note { <p>{ note }</p> }
            </div>
            { contest(lang, s) }
            if let Some(verdict) = verdict {
                <section class="section">
                    <h2>{ Words::of(lang).checked }</h2>
                    <p>{ verdict }</p>
                </section>
            }
            { order(lang, state) }
            { result(lang, state) }
        </>
    }
}
