//! The schedule and the run as files.

use super::offer::{Offer, Write};
use super::{Moment, file_name};
use crate::engine::trace::Clock;
use crate::ui::browser::origin;
use crate::ui::export::run_file;
use crate::ui::export::trace_events::{Run, trace_events};
use crate::ui::file_choice::file_choice;
use crate::ui::shared::Shared;
use crate::ui::text::params::Params;
use crate::ui::text::share::{ShareWords, inexpressible};
use serde_json::json;
use std::rc::Rc;
use web_sys::File;
use yew::prelude::*;

/// A file about the moment: its ending, its kind, and how it is written.
type Paper = (&'static str, &'static str, fn(&Moment) -> Result<String, String>);

/// A file to copy or save.
fn offer(moment: &Rc<Moment>, name: &'static str, note: &'static str, file: Paper) -> Html {
    let (ending, kind, write) = file;
    let write: Write = {
        let moment = moment.clone();
        Callback::from(move |()| write(&moment))
    };
    let file = (file_name(moment, ending), kind);
    html! { <Offer lang={moment.lang} {name} {note} {write} {file} /> }
}

/// The schedule in its three forms.
pub fn schedules(moment: &Rc<Moment>) -> Html {
    let words = ShareWords::of(moment.lang);
    let text: Paper = ("txt", "text/plain", |moment| Ok(moment.take.prepared.schedule.to_string()));
    let json: Paper = ("schedule.json", "application/json", |moment| {
        serde_json::to_string_pretty(&moment.take.prepared.schedule)
            .map_err(|error| error.to_string())
    });
    let xml: Paper = ("xml", "application/xml", |moment| {
        let xml = moment.take.prepared.schedule.msccl_xml();
        xml.map_err(|why| inexpressible(moment.lang, &why))
    });
    html! {
        <section class="share-part">
            <h3>{ words.schedule }</h3>
            { offer(moment, words.as_text, words.as_text_note, text) }
            { offer(moment, words.as_json, words.as_json_note, json) }
            { offer(moment, words.as_xml, words.as_xml_note, xml) }
        </section>
    }
}

/// The run as a file.
pub fn runs(moment: &Rc<Moment>, on_file: &Callback<File>) -> Html {
    let words = ShareWords::of(moment.lang);
    let trace: Paper = ("trace.json", "application/json", |moment| Ok(trace(moment)));
    let note = match moment.clock {
        Clock::Rounds => words.trace_rounds,
        Clock::Measured => Params::of(moment.lang).measured_here,
        Clock::Modelled => words.trace_modelled,
    };
    let json: Paper = ("run.json", "application/json", |moment| match &moment.take.recorded {
        None => Err(ShareWords::of(moment.lang).run_first.to_string()),
        Some(run) => {
            let here = || Shared::new(origin());
            let origin = moment.take.origin.clone().unwrap_or_else(here);
            Ok(run_file::write(&moment.scenario, run, &origin))
        }
    });
    html! {
        <section class="share-part">
            <h3>{ words.run }</h3>
            { offer(moment, words.run_json, words.run_json_note, json) }
            { file_choice(words.open_run, words.open_run_note, words.choose, on_file.clone()) }
            { offer(moment, words.trace, note, trace) }
        </section>
    }
}

/// The run that is shown, on the clock that is shown.
fn trace(moment: &Moment) -> String {
    let prepared = &moment.take.prepared;
    let (clock, links) = match moment.clock {
        Clock::Rounds => ("rounds: a round is a millisecond", None),
        Clock::Measured => ("measured", None),
        Clock::Modelled => ("modelled", Some(moment.scenario.view.topology.name)),
    };
    let events = match moment.take.recorded {
        Some(_) => "recorded from Web Workers",
        None => "simulated",
    };
    trace_events(&Run {
        schedule: &prepared.schedule,
        lengths: &prepared.lengths,
        element_bytes: prepared.run.reduction.wire().size_bytes(),
        timing: &moment.replay.timing,
        clock: moment.clock,
        about: json!({
            "tool": "Ringscope", "link": &*moment.link, "clock": clock, "links": links,
            "events": events,
        }),
    })
}
