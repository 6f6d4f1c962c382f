//! The command line.

use ringscope::engine::algorithm::{self, Algorithm, Fold, Request, Variant};
use ringscope::engine::collective::Verb;
use ringscope::engine::cost::{TOPOLOGIES, Topology};
use std::path::PathBuf;
use std::str::FromStr;

/// Schedules of more ranks, or of more chunks per block, fill the memory before anybody reads them.
const MOST: usize = 1024;

/// Ranks of a simulation, which writes out the programs of those only that stand for all.
const MOST_SIMULATED: usize = 4096;

/// Bytes of the whole vector in a simulation, and the most that there may be.
const BYTES: usize = 64 << 20;
const MOST_BYTES: usize = 1 << 30;

/// What is wanted.
pub enum Command {
    /// The registry: algorithms, their verbs, and what they need.
    List,
    /// What published tables call the schedules here.
    GoldenNames,
    /// A comparison of a file of published figures with the schedules here.
    Golden(PathBuf),
    /// One schedule.
    Show {
        /// Whose.
        algorithm: &'static Algorithm,
        /// Which.
        request: Request,
        /// How.
        format: Format,
    },
    /// How long one schedule takes in the event simulation.
    Simulate {
        /// Whose.
        algorithm: &'static Algorithm,
        /// Which.
        request: Request,
        /// On what.
        topology: &'static Topology,
        /// Of the whole vector.
        bytes: usize,
    },
}

/// How a schedule is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// Programs, summary and verdicts.
    Json,
    /// For MSCCL's runtime and its checkers.
    MscclXml,
    /// How long building and checking took.
    Time,
}

impl Command {
    /// Reads the arguments, or says in a sentence what is wrong with them.
    pub fn parse(arguments: &[String]) -> Result<Command, String> {
        let mut words = arguments.iter().map(String::as_str);
        match words.next() {
            None => Err(format!("Name a verb first: {}.", verbs())),
            Some("--list") => Ok(Command::List),
            Some("--golden-names") => Ok(Command::GoldenNames),
            Some("--golden") => {
                let file = words.next().ok_or("--golden needs a file.")?;
                Ok(Command::Golden(PathBuf::from(file)))
            }
            Some(name) => show(name, words),
        }
    }
}

fn show<'a>(name: &str, mut words: impl Iterator<Item = &'a str>) -> Result<Command, String> {
    let verb = Verb::ALL.into_iter().find(|v| v.name() == name);
    let verb = verb.ok_or_else(|| format!("`{name}` is not a verb; those are {}.", verbs()))?;
    let default = algorithm::serving(verb).next();
    let mut algorithm = default.ok_or_else(|| format!("No algorithm serves {}.", verb.title()))?;
    let mut request = Request::new(verb, 4);
    let mut format = Format::Text;
    let (mut topology, mut bytes) = (None, BYTES);
    while let Some(option) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{option} needs a value."));
        match option {
            "--algorithm" => algorithm = find(verb, value()?)?,
            "--ranks" => request.ranks = number(option, value()?, 1, MOST_SIMULATED)?,
            "--root" => request.root = number(option, value()?, 0, MOST_SIMULATED - 1)?,
            "--chunks" => request.chunks = number(option, value()?, 1, MOST)?,
            "--segments" => request.segments = number(option, value()?, 1, MOST)?,
            "--channels" => request.channels = number(option, value()?, 1, MOST)?,
            "--ranks-per-node" => request.ranks_per_node = number(option, value()?, 1, MOST)?,
            "--fold" => request.fold = choice(option, value()?, &Fold::ALL.map(named(Fold::name)))?,
            "--variant" => {
                let all = Variant::ALL.map(named(Variant::name));
                request.variant = choice(option, value()?, &all)?;
            }
            "--inplace" => request.in_place = true,
            "--simulate" => {
                let all: Vec<_> = TOPOLOGIES.iter().map(|t| (t.name, t)).collect();
                topology = Some(choice(option, value()?, &all)?);
            }
            "--bytes" => bytes = number(option, value()?, 0, MOST_BYTES)?,
            "--time" => format = Format::Time,
            "--format" => format = choice(option, value()?, &FORMATS)?,
            _ => return Err(format!("There is no option `{option}`.")),
        }
    }
    if request.root > 0 && !verb.has_root() {
        return Err(format!("{} has no root, so leave --root out.", verb.title()));
    }
    match topology {
        Some(topology) => Ok(Command::Simulate { algorithm, request, topology, bytes }),
        None if request.ranks > MOST => Err(format!(
            "--ranks is a whole number from 1 to {MOST} unless --simulate is given, and `{}` is \
             not.",
            request.ranks
        )),
        None => Ok(Command::Show { algorithm, request, format }),
    }
}

const FORMATS: [(&str, Format); 3] =
    [("text", Format::Text), ("json", Format::Json), ("msccl-xml", Format::MscclXml)];

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

fn named<T: Copy>(name: fn(T) -> &'static str) -> impl Fn(T) -> (&'static str, T) {
    move |value| (name(value), value)
}

/// The one of `all` with this name.
fn choice<T: Copy>(option: &str, value: &str, all: &[(&str, T)]) -> Result<T, String> {
    let found = all.iter().find(|(name, _)| *name == value);
    let names: Vec<_> = all.iter().map(|(name, _)| *name).collect();
    let missing = || format!("{option} is {}, and `{value}` is not.", names.join(" or "));
    found.map(|&(_, found)| found).ok_or_else(missing)
}

fn verbs() -> String {
    Verb::ALL.map(Verb::name).join(", ")
}
