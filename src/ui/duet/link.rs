//! What the addresses of these pages say.
//!
//! `#/equation?n=4&algo=ring&step=2` holds a scenario's fields, and `show` which experiment it is
//! for; `#/compare?a=allreduce%3F...&b=...` holds two fragments of the player, and the fields of
//! what both have in common: the clock and what is shown of it.

use crate::engine::algorithm::{self, Refusal, Request};
use crate::engine::collective::Verb;
use crate::engine::reduce::{ReduceOp, Reduction};
use crate::runtime::protocol::OUTPUT_BYTES_MAX;
use crate::ui::scenario::{Data, Field, MAX_RANKS, Notice, Page, Scenario};
use crate::ui::scenario::{escaped, link, parse, short};

/// What is shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Topic {
    /// AllReduce beside ReduceScatter and AllGather.
    Halves,
    /// A schedule of the scenario's verb, or the same run backwards.
    Reversal {
        /// Whether it runs backwards.
        turned: bool,
    },
    /// Broadcast beside the AllReduce whose other ranks hold the neutral element.
    Neutral,
    /// Any two scenarios.
    Pair(Box<[Scenario; 2]>),
}

/// An address, read.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// What is shown.
    pub topic: Topic,
    /// On what, and how: of a pair only the fields of the view and of the reader count.
    pub scenario: Scenario,
}

/// A notice, and for which of the two sides, if it is about one.
pub type Remark = (Option<usize>, Notice);

/// What a link says of steps, which only a score can judge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    /// Steps that are over.
    pub step: Option<String>,
    /// First and last step of a loop.
    pub looped: Option<String>,
}

/// The verbs whose schedules turn round.
pub const REVERSIBLE: [Verb; 3] = [Verb::AllGather, Verb::Scatter, Verb::Broadcast];

/// The experiments of the equation, by their names in links.
const EXPERIMENTS: [&str; 3] = ["halves", "reverse", "neutral"];

/// The fields that a pair has in common.
const COMMON: [&str; 6] = ["clock", "links", "speed", "rank", "lang", "theme"];

/// The fields of a query that a page has for itself, taken out of it.
struct Query(Vec<(String, String)>);

impl Query {
    fn take(&mut self, field: &str) -> Option<String> {
        let at = self.0.iter().position(|(name, _)| name.eq_ignore_ascii_case(field))?;
        Some(self.0.remove(at).1)
    }

    /// What is left, as a fragment of this verb.
    fn rest(&self, verb: Verb) -> String {
        let mut rest = form_urlencoded::Serializer::new(String::new());
        rest.extend_pairs(&self.0);
        format!("/{}?{}", verb.name(), rest.finish())
    }
}

impl Link {
    /// Reads a fragment of `page`.
    pub fn parse(page: Page, fragment: &str) -> (Link, Moment, Vec<Remark>) {
        let query = fragment.split_once('?').map_or("", |(_, query)| query);
        let pairs = form_urlencoded::parse(query.as_bytes()).into_owned();
        let mut query = Query(pairs.collect());
        let moment = Moment { step: query.take("step"), looped: query.take("loop") };
        let (link, remarks) = match page {
            Page::Compare => pair(query),
            _ => experiment(query),
        };
        (link, moment, remarks)
    }

    /// The page that shows it.
    pub fn page(&self) -> Page {
        match self.topic {
            Topic::Pair(_) => Page::Compare,
            _ => Page::Equation,
        }
    }

    /// The fragment, without `#`.
    pub fn fragment(&self) -> String {
        let s = &self.scenario;
        let mut fields: Vec<(Field, String)> = Vec::new();
        match &self.topic {
            Topic::Halves => {}
            Topic::Neutral => fields.push(("show", EXPERIMENTS[2].to_string())),
            Topic::Reversal { turned } => {
                fields.push(("show", EXPERIMENTS[1].to_string()));
                fields.push(("of", s.verb.name().to_string()));
                fields.extend(turned.then(|| ("turned", "yes".to_string())));
            }
            Topic::Pair(sides) => {
                let run = |s: &Scenario| link(s.verb.name(), &s.fields_of_run());
                let [a, b] = [0, 1].map(|side| run(&sides[side]));
                fields.push(("a", escaped(a.trim_start_matches('/'))));
                fields.push(("b", escaped(b.trim_start_matches('/'))));
            }
        }
        if self.page() == Page::Equation {
            fields.extend(s.fields_of_run());
        }
        fields.extend(s.fields_of_view());
        fields.extend(s.fields_of_reader());
        link(self.page().name(), &fields)
    }

    /// The same for another experiment: the scenario gets the verb that it is about.
    pub fn about(&self, topic: Topic, verb: Verb) -> (Link, Vec<Remark>) {
        let scenario = self.scenario.with_verb(verb);
        Link { topic, scenario }.settled()
    }

    /// What the experiment cannot do is put right, and said.
    pub fn settled(mut self) -> (Link, Vec<Remark>) {
        let mut remarks = Vec::new();
        let refusal = match &self.topic {
            Topic::Halves => unequal(&self.scenario),
            Topic::Reversal { .. } => {
                self.scenario.algorithm().build_reversed(&self.scenario.request()).err()
            }
            Topic::Neutral | Topic::Pair(_) => None,
        };
        if let Some(refusal) = refusal {
            self.scenario = self.scenario.edit("algo", "ring").0;
            let used = self.scenario.algorithm.to_string();
            remarks.push((None, Notice::Refused { refusal, used }));
        }
        let half = Scenario { verb: Verb::ReduceScatter, ..self.scenario.clone() };
        if self.topic == Topic::Halves && !half.admits(half.accumulate) {
            self.scenario = self.scenario.edit("acc", "type").0;
            remarks.push((None, Notice::SumsTravel { used: self.scenario.accumulate.name() }));
        }
        let (op, dtype) = (self.scenario.op, self.scenario.dtype);
        if self.topic == Topic::Neutral && op.neutral(dtype).is_none() {
            let has_one = ReduceOp::ALL.into_iter().filter(|op| op.neutral(dtype).is_some());
            let (allowed, used) = (has_one.map(ReduceOp::name).collect(), ReduceOp::Sum.name());
            self.scenario = self.scenario.edit("op", used).0;
            remarks.push((
                None,
                Notice::NotOneOf { field: "op", value: op.name().into(), allowed, used },
            ));
        }
        if self.page() == Page::Equation {
            remarks.extend(self.shrink().map(|notice| (None, notice)));
        }
        (self, remarks)
    }

    /// Results are compared here, so ranks must be able to hand them over.
    fn shrink(&mut self) -> Option<Notice> {
        let Data::Bytes(bytes) = self.scenario.data else { return None };
        let Scenario { op, dtype, accumulate, ranks, .. } = self.scenario;
        // What is accumulated in a wider type leaves the ranks in it as well.
        let wire = Reduction { op, dtype, accumulate, ranks }.wire().size_bytes();
        let most = (OUTPUT_BYTES_MAX / wire * dtype.size_bytes()) as u64;
        if bytes <= most {
            return None;
        }
        self.scenario = self.scenario.edit("size", &most.to_string()).0;
        let least = dtype.size_bytes() as u64;
        let value = bytes.to_string();
        Some(Notice::OutOfRange { field: "size", value, least, most, used: most })
    }
}

/// Why the halves of this AllReduce cannot be had from its own algorithm, if they cannot.
fn unequal(s: &Scenario) -> Option<Refusal> {
    let half = |verb| s.algorithm().refusal(&Request { verb, ..s.request() });
    half(Verb::ReduceScatter).or_else(|| half(Verb::AllGather))
}

/// An experiment of the equation.
fn experiment(mut query: Query) -> (Link, Vec<Remark>) {
    let mut notices = Vec::new();
    let mut choose = |field: Field, raw: Option<String>, allowed: &[&'static str]| {
        let raw = raw?;
        let found = allowed.iter().position(|name| name.eq_ignore_ascii_case(raw.trim()));
        if found.is_none() {
            let (value, used) = (short(&raw), allowed[0]);
            notices.push(Notice::NotOneOf { field, value, allowed: allowed.to_vec(), used });
        }
        found
    };
    let [show, of, turned] = ["show", "of", "turned"].map(|field| query.take(field));
    let show = choose("show", show, &EXPERIMENTS).unwrap_or(0);
    let (topic, verb) = match show {
        1 => {
            let verbs = REVERSIBLE.map(Verb::name);
            let verb = REVERSIBLE[choose("of", of, &verbs).unwrap_or(0)];
            let turned = choose("turned", turned, &["no", "yes"]) == Some(1);
            (Topic::Reversal { turned }, verb)
        }
        2 => (Topic::Neutral, Verb::AllReduce),
        _ => (Topic::Halves, Verb::AllReduce),
    };
    let (_, scenario, found) = parse(&query.rest(verb));
    notices.extend(found);
    let (link, settled) = Link { topic, scenario }.settled();
    let remarks = notices.into_iter().map(|notice| (None, notice));
    (link, remarks.chain(settled).collect())
}

/// Two scenarios. Where only one is named, the other is the same verb by another algorithm.
fn pair(mut query: Query) -> (Link, Vec<Remark>) {
    let given = ["a", "b"].map(|field| query.take(field));
    let strange = query.0.iter().filter(|(name, _)| !COMMON.contains(&name.as_str()));
    let strange: Vec<String> = strange.map(|(name, _)| short(name)).collect();
    query.0.retain(|(name, _)| COMMON.contains(&name.as_str()));
    // Whichever rank is named, one of the sides may have it.
    query.0.push(("n".to_string(), MAX_RANKS.to_string()));
    let (_, view, found) = parse(&query.rest(Verb::AllReduce));
    let mut remarks: Vec<Remark> = Vec::new();
    if let Some(name) = strange.first().cloned() {
        remarks.push((None, Notice::UnknownField { name, more: strange.len() - 1 }));
    }
    remarks.extend(found.into_iter().map(|notice| (None, notice)));
    let mut read = |side: usize| {
        let (page, scenario, found) = parse(given[side].as_deref()?);
        let other =
            (page != Page::Player).then(|| Notice::UnknownPage { name: page.name().into() });
        remarks.extend(other.into_iter().chain(found).map(|notice| (Some(side), notice)));
        Some(scenario)
    };
    let (a, b) = (read(0), read(1));
    let a = a.or_else(|| b.as_ref().map(rival)).unwrap_or_default();
    let b = b.unwrap_or_else(|| rival(&a));
    (Link { topic: Topic::Pair(Box::new([a, b])), scenario: view }, remarks)
}

/// The same scenario by another algorithm, if there is one.
fn rival(s: &Scenario) -> Scenario {
    let other = algorithm::serving(s.verb).find(|other| {
        other.name != s.algorithm
            && other.refusal(&Request { channels: 1, ..s.request() }).is_none()
    });
    other.map_or_else(|| s.clone(), |other| s.edit("algo", other.name).0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(page: Page, fragment: &str) -> (Link, Vec<Remark>) {
        let (link, _, remarks) = Link::parse(page, fragment);
        (link, remarks)
    }

    #[test]
    fn links_read_back_as_they_are_written() {
        let equations = [
            "/equation",
            "/equation?n=5&op=max&type=bf16&data=1,2,3,4,5;;;;&speed=2&rank=1&lang=zh",
            "/equation?show=reverse&of=allgather",
            "/equation?show=reverse&of=scatter&turned=yes&n=8&rank=7",
            "/equation?show=neutral&algo=tree&op=product&clock=modelled&links=pcie3",
        ];
        let pairs = [
            "/compare?a=allreduce&b=allreduce?algo=tree",
            "/compare?a=allreduce?algo=tree%26n=8%26size=64KiB&b=scatter?n=3&rank=7&theme=dark",
        ];
        let all = equations.map(|f| (Page::Equation, f)).into_iter();
        for (page, fragment) in all.chain(pairs.map(|f| (Page::Compare, f))) {
            let (link, remarks) = read(page, fragment);
            assert_eq!(remarks, [], "{fragment}");
            assert_eq!(link.page(), page);
            let again = read(page, &link.fragment()).0;
            assert_eq!(again, link, "{fragment} became {}", link.fragment());
        }
        assert_eq!(read(Page::Compare, pairs[0]).0.fragment(), pairs[0]);
    }

    #[test]
    fn the_missing_side_is_another_algorithm() {
        let sides = |fragment| match read(Page::Compare, fragment).0.topic {
            Topic::Pair(sides) => sides.map(|s| (s.verb, s.algorithm, s.ranks)),
            other => panic!("{other:?}"),
        };
        let reduce = Verb::AllReduce;
        assert_eq!(sides("/compare"), [(reduce, "ring", 4), (reduce, "tree", 4)]);
        let one = sides("/compare?a=allreduce?algo=tree%26n=8");
        assert_eq!(one, [(reduce, "tree", 8), (reduce, "ring", 8)]);
        let only = sides("/compare?b=sendrecv");
        assert_eq!(only, [(Verb::SendRecv, "pair", 4), (Verb::SendRecv, "pair", 4)]);
    }

    #[test]
    fn what_is_wrong_is_said_and_the_rest_kept() {
        let (link, remarks) = read(Page::Equation, "/equation?algo=tree&n=5&show=nothing");
        assert_eq!((link.scenario.algorithm, link.scenario.ranks), ("ring", 5));
        let kinds = |(side, notice): &Remark| match notice {
            Notice::NotOneOf { field, .. } => (*side, *field),
            Notice::Refused { .. } => (*side, "algo"),
            Notice::UnknownField { .. } => (*side, "unknown"),
            Notice::UnknownPage { .. } => (*side, "page"),
            Notice::OutOfRange { field, .. } => (*side, *field),
            other => panic!("{other:?}"),
        };
        let kinds = |remarks: &[Remark]| remarks.iter().map(kinds).collect::<Vec<_>>();
        assert_eq!(kinds(&remarks), [(None, "show"), (None, "algo")]);
        let bad = "/compare?n=4&b=allreduce?n=99&a=equation";
        let (_, remarks) = read(Page::Compare, bad);
        assert_eq!(kinds(&remarks), [(None, "unknown"), (Some(0), "page"), (Some(1), "n")]);
    }
}
