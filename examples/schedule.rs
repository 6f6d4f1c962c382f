//! Prints the schedule of one collective, after proving it.
//!
//! ```text
//! cargo run --release --example schedule -- allreduce --ranks 4
//! cargo run --release --example schedule -- broadcast --algorithm tree --ranks 8 --root 3
//! cargo run --release --example schedule -- --list
//! ```
//!
//! Options: `--algorithm NAME` (else the verb's default), `--ranks N` (4), `--root R` (0),
//! `--pieces K` chunks per block (1), `--inplace`, `--format text|json` (text), `--time`.

use ringscope::engine::algorithm::{self, Algorithm};
use ringscope::engine::check::{Proof, check};
use ringscope::engine::collective::Verb;
use ringscope::engine::schedule::Schedule;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// Schedules of more ranks, or of more chunks per block, fill the memory before anybody reads them.
const MOST: usize = 1024;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match answer(&arguments) {
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

/// What the command line asks for, or a sentence that says what is wrong with it.
fn answer(arguments: &[String]) -> Result<String, String> {
    if arguments.iter().any(|a| a == "--list") {
        return Ok(list());
    }
    let request = Request::parse(arguments)?;
    let (schedule, proof, took) = request.prove()?;
    if request.time {
        let (slots, ms) = (proof.slots, took.as_secs_f64() * 1e3);
        return Ok(format!(
            "{} {}: proved in {ms:.1} ms, slots {slots}\n",
            request.verb.name(),
            schedule.algorithm
        ));
    }
    if request.json {
        let json = serde_json::to_string_pretty(&schedule).map_err(|e| e.to_string())?;
        return Ok(json + "\n");
    }
    Ok(schedule.to_string())
}

struct Request {
    verb: Verb,
    algorithm: &'static Algorithm,
    ranks: usize,
    root: usize,
    pieces: usize,
    in_place: bool,
    json: bool,
    time: bool,
}

impl Request {
    fn parse(arguments: &[String]) -> Result<Request, String> {
        let mut words = arguments.iter().map(String::as_str);
        let name = words.next().ok_or_else(|| format!("Name a verb first: {}.", verbs()))?;
        let verb = Verb::ALL.into_iter().find(|v| v.name() == name);
        let verb = verb.ok_or_else(|| format!("`{name}` is not a verb; those are {}.", verbs()))?;
        let default = algorithm::serving(verb).next();
        let algorithm = default.ok_or_else(|| format!("No algorithm serves {}.", verb.title()))?;
        let (in_place, json, time) = (false, false, false);
        let mut request =
            Request { verb, algorithm, ranks: 4, root: 0, pieces: 1, in_place, json, time };
        while let Some(option) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{option} needs a value."));
            match option {
                "--algorithm" => request.algorithm = find(verb, value()?)?,
                "--ranks" => request.ranks = number(option, value()?, 1, MOST)?,
                "--root" => request.root = number(option, value()?, 0, MOST - 1)?,
                "--pieces" => request.pieces = number(option, value()?, 1, MOST)?,
                "--inplace" => request.in_place = true,
                "--time" => request.time = true,
                "--format" => request.json = format(value()?)?,
                _ => return Err(format!("There is no option `{option}`.")),
            }
        }
        if request.root > 0 && !verb.has_root() {
            return Err(format!("{} has no root, so leave --root out.", verb.title()));
        }
        Ok(request)
    }

    /// Builds and checks the schedule, and says how long both took.
    #[expect(clippy::disallowed_methods, reason = "the engine has no clock; this program has")]
    fn prove(&self) -> Result<(Schedule, Proof, Duration), String> {
        let start = Instant::now();
        let Request { verb, ranks, root, pieces, in_place, .. } = *self;
        let schedule = self.algorithm.build(verb, ranks, root, pieces, in_place);
        let schedule = schedule.map_err(|refusal| format!("Not possible: {refusal}."))?;
        let proof = check(&schedule).map_err(|fault| format!("The proof failed: {fault}."))?;
        Ok((schedule, proof, start.elapsed()))
    }
}

/// The algorithm of this name, if it serves `verb`.
fn find(verb: Verb, name: &str) -> Result<&'static Algorithm, String> {
    let serving: Vec<_> = algorithm::serving(verb).map(|a| a.name).collect();
    let found = algorithm::serving(verb).find(|a| a.name == name);
    found.ok_or_else(|| {
        format!("`{name}` does not serve {}; {} does.", verb.title(), serving.join(", "))
    })
}

/// A whole number between `least` and `most`.
fn number(option: &str, value: &str, least: usize, most: usize) -> Result<usize, String> {
    let number = usize::from_str(value).ok().filter(|n| (least..=most).contains(n));
    number.ok_or_else(|| {
        format!("{option} is a whole number from {least} to {most}, and `{value}` is not.")
    })
}

/// Whether the format is JSON.
fn format(value: &str) -> Result<bool, String> {
    match value {
        "json" => Ok(true),
        "text" => Ok(false),
        _ => Err(format!("--format is text or json, and `{value}` is neither.")),
    }
}

fn verbs() -> String {
    Verb::ALL.map(Verb::name).join(", ")
}

/// The registry: a line for every verb, its default algorithm first.
fn list() -> String {
    let line = |verb: Verb| {
        let serving: Vec<_> = algorithm::serving(verb).map(|a| a.name).collect();
        format!("{:<14} {}\n", verb.name(), serving.join(", "))
    };
    Verb::ALL.map(line).concat()
}
