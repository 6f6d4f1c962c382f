//! What is to be measured, and the address that says so.
//!
//! `#/bench?verb=allreduce,allgather&algo=ring,tree&n=2,4&type=f32&op=sum&from=1KiB&to=4MiB`: all
//! combinations of these that can be had, each at every power of two from the smallest size to the
//! largest. Fields at their defaults are left out; what is wrong with one yields a [`Notice`].

use crate::engine::algorithm::{self, Algorithm, Refusal};
use crate::engine::collective::Verb;
use crate::engine::cost::{TOPOLOGIES, Topology};
use crate::engine::reduce::{Dtype, ReduceOp};
use crate::runtime::plan;
use crate::runtime::transport::Via;
use crate::ui::scenario::{Data, Field, MAX_RANKS, Notice, Page, Scenario, link, short};

/// The sizes that can be chosen, by their names in links: 1 KiB, and each twice the one before.
pub const SIZES: [&str; 19] = [
    "1KiB", "2KiB", "4KiB", "8KiB", "16KiB", "32KiB", "64KiB", "128KiB", "256KiB", "512KiB",
    "1MiB", "2MiB", "4MiB", "8MiB", "16MiB", "32MiB", "64MiB", "128MiB", "256MiB",
];

/// The verbs that move a vector.
pub const VERBS: [Verb; 10] = [
    Verb::AllReduce,
    Verb::ReduceScatter,
    Verb::AllGather,
    Verb::Broadcast,
    Verb::Reduce,
    Verb::Gather,
    Verb::Scatter,
    Verb::AllToAll,
    Verb::SendRecv,
    Verb::Shift,
];

/// As many curves as there are hues.
pub const MAX_CURVES: usize = 8;

/// The fields of an address, in the order in which they are written.
const FIELDS: [Field; 10] =
    ["verb", "algo", "n", "type", "via", "place", "op", "from", "to", "links"];

/// Where results lie, by the names that links have for it, and whether that is in place.
pub const PLACES: [(&str, bool); 2] = [("out", false), ("in", true)];

/// Fields that the reader has everywhere.
const READERS: [Field; 2] = ["lang", "theme"];

/// So many bytes by their place in [`SIZES`].
pub fn size(at: usize) -> u64 {
    1024 << at
}

/// What is chosen; of no list is nothing chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Verbs, in their order.
    pub verbs: Vec<Verb>,
    /// Algorithms by name, in the registry's order.
    pub algorithms: Vec<&'static str>,
    /// Numbers of ranks, ascending.
    pub ranks: Vec<usize>,
    /// Types, in their order.
    pub dtypes: Vec<Dtype>,
    /// How messages travel, the faster way first.
    pub vias: Vec<Via>,
    /// Whether results replace inputs, out of place first.
    pub places: Vec<bool>,
    /// The operator of verbs that reduce.
    pub op: ReduceOp,
    /// The smallest size, by its place in [`SIZES`].
    pub from: usize,
    /// The largest, no smaller.
    pub to: usize,
    /// The links that the models are shown for.
    pub topology: &'static Topology,
}

impl Default for Choice {
    fn default() -> Self {
        Choice {
            verbs: vec![Verb::AllReduce],
            algorithms: vec!["ring", "tree"],
            ranks: vec![4],
            dtypes: vec![Dtype::F32],
            vias: vec![Via::Shared],
            places: vec![false],
            op: ReduceOp::Sum,
            from: 0,
            to: 12,
            topology: &TOPOLOGIES[0],
        }
    }
}

/// A combination that cannot be had.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// What was asked for.
    pub scenario: Scenario,
    /// Why not; without a refusal, because the operator is not for the type.
    pub refusal: Option<Refusal>,
}

/// Algorithms that workers can run for a verb.
pub fn algorithms(verb: Verb) -> impl Iterator<Item = &'static Algorithm> {
    algorithm::serving(verb).filter(|a| plan::refusal(a.switches).is_none())
}

impl Choice {
    /// Reads a fragment.
    pub fn read(fragment: &str) -> (Choice, Vec<Notice>) {
        let query = fragment.split_once('?').map_or("", |(_, query)| query);
        let (mut choice, mut notices) = (Choice::default(), Vec::new());
        let (mut seen, mut unknown) = (Vec::new(), Vec::new());
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let known = FIELDS.into_iter().chain(READERS);
            match known.into_iter().find(|field| field.eq_ignore_ascii_case(&name)) {
                None => unknown.push(short(&name)),
                Some(field) if seen.contains(&field) => notices.push(Notice::Twice { field }),
                Some(field) => {
                    seen.push(field);
                    notices.extend(choice.set(field, &value));
                }
            }
        }
        if choice.from > choice.to {
            let (value, used) = (SIZES[choice.to].to_string(), choice.from);
            let (least, most) = (size(choice.from), size(SIZES.len() - 1));
            notices.push(Notice::OutOfRange { field: "to", value, least, most, used: size(used) });
            choice.to = used;
        }
        let more = unknown.len().saturating_sub(1);
        let first = unknown.into_iter().next();
        notices.extend(first.map(|name| Notice::UnknownField { name, more }));
        (choice, notices)
    }

    /// Sets a field; what is wrong with it leaves what cannot be read out.
    fn set(&mut self, field: Field, raw: &str) -> Vec<Notice> {
        let mut notices = Vec::new();
        let mut named = |names: &[(&'static str, usize)], usual: &'static str| -> Vec<usize> {
            let mut found = Vec::new();
            for word in raw.split(',') {
                match names.iter().find(|(name, _)| name.eq_ignore_ascii_case(word.trim())) {
                    Some((_, at)) => found.push(*at),
                    None => notices.push(Notice::NotOneOf {
                        field,
                        value: short(word),
                        allowed: names.iter().map(|(name, _)| *name).collect(),
                        used: usual,
                    }),
                }
            }
            found.sort_unstable();
            found.dedup();
            found
        };
        fn numbered(names: impl Iterator<Item = &'static str>) -> Vec<(&'static str, usize)> {
            names.enumerate().map(|(at, name)| (name, at)).collect()
        }
        match field {
            "verb" => {
                let names = numbered(VERBS.iter().map(|verb| verb.name()));
                let verbs = named(&names, self.verbs[0].name());
                keep(&mut self.verbs, verbs.into_iter().map(|at| VERBS[at]));
            }
            "algo" => {
                let names = numbered(algorithm::ALL.iter().map(|a| a.name));
                let names: Vec<_> = names
                    .into_iter()
                    .filter(|(_, at)| plan::refusal(algorithm::ALL[*at].switches).is_none())
                    .collect();
                let found = named(&names, self.algorithms[0]);
                let found = found.into_iter().map(|at| algorithm::ALL[at].name);
                keep(&mut self.algorithms, found);
            }
            "n" => {
                let (found, wrong) = ranks(raw, self.ranks[0]);
                notices = wrong;
                keep(&mut self.ranks, found.into_iter());
            }
            "type" => {
                let names = numbered(Dtype::ALL.iter().map(|dtype| dtype.name()));
                let found = named(&names, self.dtypes[0].name());
                keep(&mut self.dtypes, found.into_iter().map(|at| Dtype::ALL[at]));
            }
            "via" => {
                let names = numbered(Via::ALL.iter().map(|via| via.name()));
                let found = named(&names, self.vias[0].name());
                keep(&mut self.vias, found.into_iter().map(|at| Via::ALL[at]));
            }
            "place" => {
                let found = named(&PLACES.map(|(name, is)| (name, usize::from(is))), "out");
                keep(&mut self.places, found.into_iter().map(|at| PLACES[at].1));
            }
            "op" => {
                let names = numbered(ReduceOp::ALL.iter().map(|op| op.name()));
                if let Some(&at) = named(&names, self.op.name()).first() {
                    self.op = ReduceOp::ALL[at];
                }
            }
            "from" | "to" => {
                let place = if field == "from" { &mut self.from } else { &mut self.to };
                let names = numbered(SIZES.into_iter());
                if let Some(&at) = named(&names, SIZES[*place]).first() {
                    *place = at;
                }
            }
            "links" => {
                let names = numbered(TOPOLOGIES.iter().map(|links| links.name));
                if let Some(&at) = named(&names, self.topology.name).first() {
                    self.topology = &TOPOLOGIES[at];
                }
            }
            // The app has read the reader's fields.
            _ => {}
        }
        notices
    }

    /// The fragment, with the reader's own fields behind.
    pub fn fragment(&self, reader: &[(Field, String)]) -> String {
        let usual = Choice::default();
        let list = |names: Vec<String>| names.join(",");
        let verbs = |c: &Choice| list(c.verbs.iter().map(|v| v.name().to_string()).collect());
        let algorithms = |c: &Choice| list(c.algorithms.iter().map(|a| a.to_string()).collect());
        let ranks = |c: &Choice| list(c.ranks.iter().map(usize::to_string).collect());
        let dtypes = |c: &Choice| list(c.dtypes.iter().map(|t| t.name().to_string()).collect());
        let vias = |c: &Choice| list(c.vias.iter().map(|via| via.name().to_string()).collect());
        let place = |&is: &bool| PLACES[usize::from(is)].0.to_string();
        let places = |c: &Choice| list(c.places.iter().map(place).collect());
        let written = |c: &Choice| {
            [
                verbs(c),
                algorithms(c),
                ranks(c),
                dtypes(c),
                vias(c),
                places(c),
                c.op.name().to_string(),
                SIZES[c.from].to_string(),
                SIZES[c.to].to_string(),
                c.topology.name.to_string(),
            ]
        };
        let fields = FIELDS.into_iter().zip(written(self)).zip(written(&usual));
        let mut fields: Vec<(Field, String)> =
            fields.filter(|((_, chosen), usual)| chosen != usual).map(|(field, _)| field).collect();
        fields.extend_from_slice(reader);
        link(Page::Bench.name(), &fields)
    }

    /// The sizes, in bytes.
    pub fn sizes(&self) -> impl ExactSizeIterator<Item = u64> + use<> {
        (self.from..self.to + 1).map(size)
    }

    /// All combinations, at the smallest size, and those that cannot be had.
    pub fn curves(&self) -> (Vec<Scenario>, Vec<LeftOut>) {
        let (mut curves, mut left_out) = (Vec::new(), Vec::new());
        for &verb in &self.verbs {
            for &ranks in &self.ranks {
                for &dtype in &self.dtypes {
                    for curve in self.curves_of(verb, ranks, dtype) {
                        match refusal(&curve) {
                            None if curve.op.supports(dtype) => curves.push(curve),
                            refusal => left_out.push(LeftOut { scenario: curve, refusal }),
                        }
                    }
                }
            }
        }
        (curves, left_out)
    }

    /// The combinations of these with all else, at the smallest size, whether they can be had or
    /// not.
    fn curves_of(&self, verb: Verb, ranks: usize, dtype: Dtype) -> Vec<Scenario> {
        let usual = Scenario::default();
        let op = if verb.reduces() { self.op } else { usual.op };
        let of_verb = Scenario { op, dtype, ..usual }.with_verb(verb).with_ranks(ranks);
        let mut curves = Vec::new();
        for &via in &self.vias {
            for &in_place in &self.places {
                let placed = Scenario { via, in_place, ..of_verb.clone() };
                let with = |name: &&'static str| placed.with_algorithm(name);
                curves.extend(self.algorithms.iter().map(with));
            }
        }
        curves.into_iter().map(|curve| at(&curve, size(self.from))).collect()
    }
}

/// Why the algorithm that a scenario names cannot be had for it.
fn refusal(scenario: &Scenario) -> Option<Refusal> {
    match algorithm::find(scenario.algorithm) {
        Some(algorithm) => algorithm.refusal(&scenario.request()),
        None => Some(Refusal::Unknown(scenario.algorithm.to_string())),
    }
}

/// The scenario on a seeded vector of so many bytes.
pub fn at(scenario: &Scenario, bytes: u64) -> Scenario {
    Scenario { data: Data::Bytes(bytes), shape: None, ..scenario.clone() }
}

/// Replaces what is chosen by what was found, unless that is nothing.
fn keep<T>(chosen: &mut Vec<T>, found: impl Iterator<Item = T>) {
    let found: Vec<T> = found.collect();
    if !found.is_empty() {
        *chosen = found;
    }
}

/// Numbers of ranks, ascending, and what is wrong with the others.
fn ranks(raw: &str, usual: usize) -> (Vec<usize>, Vec<Notice>) {
    let (mut found, mut notices) = (Vec::new(), Vec::new());
    for word in raw.split(',') {
        match word.trim().parse::<usize>() {
            Ok(ranks) if (1..=MAX_RANKS).contains(&ranks) => found.push(ranks),
            Ok(ranks) => {
                let used = ranks.clamp(1, MAX_RANKS);
                found.push(used);
                let (least, most, used) = (1, MAX_RANKS as u64, used as u64);
                let value = short(word);
                notices.push(Notice::OutOfRange { field: "n", value, least, most, used });
            }
            Err(_) => {
                let (value, used) = (short(word), usual as u64);
                notices.push(Notice::NotWhole { field: "n", value, used });
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    (found, notices)
}

#[cfg(test)]
mod tests;
