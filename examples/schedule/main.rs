//! Prints the schedule of one collective, after proving it.
//!
//! ```text
//! cargo run --release --example schedule -- allreduce --ranks 4
//! cargo run --release --example schedule -- broadcast --algorithm tree --ranks 8 --root 3
//! cargo run --release --example schedule -- allreduce --format msccl-xml > ring.xml
//! cargo run --release --example schedule -- allreduce --ranks 4096 --simulate hopper-8x8
//! cargo run --release --example schedule -- --list
//! cargo run --release --example schedule -- --golden FILE
//! ```
//!
//! Options: `--algorithm A` (else the verb's default), `--ranks N` (4), `--root R` (0), `--chunks
//! K` per block (1), `--segments S` per chunk (1), `--channels C` (1), `--ranks-per-node G` (1),
//! `--fold mpich|ompi`, `--variant shift|xor`, `--inplace`, `--format text|json|msccl-xml`,
//! `--time`; `--simulate LINKS` prints how long it takes on these links, in the event simulation,
//! for a vector of `--bytes B` (64 MiB) of f32.
//!
//! `--list` prints the registry, `--golden-names` what published tables call its schedules, and
//! `--golden FILE` compares such a table with them.

mod arguments;
mod golden;

use arguments::{Command, Format};
use ringscope::engine::algorithm::{Algorithm, Request};
use ringscope::engine::check::{Proof, check, rounding};
use ringscope::engine::collective::Verb;
use ringscope::engine::cost::event::{Brief, brief, ops};
use ringscope::engine::cost::{Topology, summary};
use ringscope::engine::memory::Lengths;
use ringscope::engine::reduce::Dtype;
use ringscope::engine::schedule::Schedule;
use ringscope::engine::tensor::Tensor;
use ringscope::ui::text::Lang;
use ringscope::ui::text::registry::{Row, algorithm_note, rows};
use serde_json::json;
use std::process::ExitCode;
use std::time::Instant;

/// A simulation of more operations than these fills the memory.
const MOST_OPS: usize = 1 << 23;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match Command::parse(&arguments).and_then(|command| answer(&command)) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::FAILURE
        }
    }
}

fn answer(command: &Command) -> Result<String, String> {
    match command {
        Command::List => Ok(list()),
        Command::GoldenNames => Ok(golden::names()),
        Command::Golden(file) => golden::compare(file),
        Command::Show { algorithm, request, format } => show(algorithm, request, *format),
        Command::Simulate { algorithm, request, topology, bytes } => {
            simulate(algorithm, request, topology, *bytes)
        }
    }
}

/// The schedule in the format asked for, once it is proved.
#[expect(clippy::disallowed_methods, reason = "the engine has no clock; this program has")]
fn show(algorithm: &Algorithm, request: &Request, format: Format) -> Result<String, String> {
    let start = Instant::now();
    let schedule = algorithm.build(request).map_err(|no| format!("Not possible: {no}."))?;
    let proof = check(&schedule).map_err(|fault| format!("The proof failed: {fault}."))?;
    let ms = start.elapsed().as_secs_f64() * 1e3;
    match format {
        Format::Text => Ok(schedule.to_string()),
        Format::Json => json(&schedule, &proof),
        Format::MscclXml => schedule.msccl_xml().map_err(|no| format!("Not possible: {no}.")),
        Format::Time => {
            let name = algorithm.name;
            Ok(format!("{name} {request}: proved in {ms:.1} ms, slots {}\n", proof.slots))
        }
    }
}

/// How long the schedule takes, modelled, and how long it took to say so.
#[expect(clippy::disallowed_methods, reason = "the engine has no clock; this program has")]
fn simulate(
    algorithm: &Algorithm,
    request: &Request,
    topology: &Topology,
    bytes: usize,
) -> Result<String, String> {
    let start = Instant::now();
    let outline = algorithm.outline(request).map_err(|no| format!("Not possible: {no}."))?;
    let written = start.elapsed();
    let size = Dtype::F32.size_bytes();
    let lengths = Lengths::new(&outline.collective, &Tensor::flat(bytes / size));
    let ops = ops(&outline, &lengths, topology);
    if ops > MOST_OPS {
        return Err(format!(
            "Not possible: {ops} operations would have to be simulated, and {MOST_OPS} are the \
             most. Ranks are alike if they fill the nodes of {}, and divide the {} elements.",
            topology.name,
            bytes / size
        ));
    }
    let Brief { end_us, programs } = brief(&outline, &lengths, size, topology);
    let [written, all] = [written, start.elapsed()].map(|took| took.as_secs_f64() * 1e3);
    Ok(format!(
        "{} {request}, {bytes} bytes on {}: {end_us:.3} us (modelled)\n\
         written in {written:.1} ms, simulated on {programs} programs in {:.1} ms\n",
        algorithm.name,
        topology.title,
        all - written
    ))
}

/// The schedule with its summary and the verdicts on it.
fn json(schedule: &Schedule, proof: &Proof) -> Result<String, String> {
    let found = rounding(&schedule.collective, proof);
    let differs = found.differs.map(|d| json!({ "chunk": d.label, "ranks": [d.first, d.other] }));
    let mut value = serde_json::to_value(schedule).map_err(|e| e.to_string())?;
    value["summary"] = serde_json::to_value(summary(schedule)).map_err(|e| e.to_string())?;
    // A fault would have ended this program, with a sentence that names it.
    value["verdicts"] = json!({
        "postcondition": true,
        "race_free": true,
        "slots": proof.slots,
        "rounding": {
            "same_on_all_ranks": found.differs.is_none(),
            "differs": differs,
            "depth": found.depth,
            "in_rank_order": found.in_rank_order,
        },
    });
    let text = serde_json::to_string_pretty(&value).map_err(|e| e.to_string())?;
    Ok(text + "\n")
}

/// The registry, as the page of algorithms shows it.
fn list() -> String {
    let mut text = String::new();
    let mut last = "";
    for row in rows(Lang::En) {
        let Row { algorithm, verbs, options, needs, rounds, sent, source } = row;
        if algorithm != last {
            text += &format!("{algorithm}: {}\n", algorithm_note(Lang::En, algorithm));
            last = algorithm;
        }
        let verbs: Vec<_> = verbs.into_iter().map(Verb::name).collect();
        text += &format!("  {}\n", verbs.join(" "));
        let options: Vec<_> = options.iter().map(|option| format!("--{}", option.name())).collect();
        let lines = [
            ("rounds", rounds),
            ("sent per rank", sent.to_string()),
            ("needs", needs.join(Lang::En.semicolon())),
            ("options", options.join(" ")),
            ("source", source.to_string()),
        ];
        for (name, value) in lines.iter().filter(|(_, value)| !value.is_empty()) {
            text += &format!("    {name:<14}{value}\n");
        }
    }
    text
}
