//! The cost strip: what a collective costs, each number with its kind.

use super::Inspector;
use crate::engine::algorithm;
use crate::engine::collective::Verb;
use crate::engine::cost::{Topology, event};
use crate::ui::scenario::Prepared;
use crate::ui::text::links::links_of;
use crate::ui::text::units::{bytes, rate, time_us};
use crate::ui::text::{Lang, fill};

/// A clock that ticks more often than this during a run is fine enough.
const TICKS: f64 = 10.0;

/// What workers took for one collective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Time of one run, in microseconds.
    pub time_us: f64,
    /// The clock's tick, in microseconds; 0 if it has none.
    pub resolution_us: f64,
    /// So many runs took that on average.
    pub runs: u64,
}

/// A line of the strip.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What is counted.
    pub name: String,
    /// How it comes about, with live numbers; may be empty.
    pub formula: String,
    /// Measured, modelled or published; empty for what is counted in the schedule itself.
    pub kind: String,
    /// The number and its unit.
    pub value: String,
    /// What a reader must know about it; may be empty.
    pub note: String,
}

/// All lines for a prepared scenario, with modelled times on `topology`.
pub fn rows(
    lang: Lang,
    topology: &Topology,
    prepared: &Prepared,
    measured: Option<Measured>,
) -> Vec<Row> {
    let strip = Strip {
        lang,
        words: Inspector::of(lang),
        prepared,
        size: prepared.run.reduction.wire().size_bytes(),
    };
    let mut rows = vec![strip.steps(), strip.sent(), strip.messages()];
    rows.extend(measured.map(|measured| strip.measured(measured)));
    rows.extend(strip.modelled(topology));
    rows.extend(measured.map_or(Vec::new(), |measured| strip.throughput(measured)));
    rows.extend(strip.bound());
    rows
}

/// The kind of a number that was measured in so many runs here.
pub fn measured_kind(lang: Lang, runs: u64) -> String {
    let words = Inspector::of(lang);
    fill(if runs > 1 { words.measured_mean } else { words.measured }, &[("n", &runs)])
}

struct Strip<'a> {
    lang: Lang,
    words: &'a Inspector,
    prepared: &'a Prepared,
    /// Bytes of one element.
    size: usize,
}

impl Strip<'_> {
    fn row(&self, name: &str, value: String) -> Row {
        let empty = String::new;
        Row { name: name.into(), formula: empty(), kind: empty(), value, note: empty() }
    }

    fn verb(&self) -> Verb {
        self.prepared.schedule.collective.verb
    }

    fn ranks(&self) -> usize {
        self.prepared.schedule.collective.ranks
    }

    /// S, in bytes.
    fn vector(&self) -> usize {
        self.prepared.lengths.total() * self.size
    }

    fn closed(&self) -> Option<algorithm::Closed> {
        let found = algorithm::find(&self.prepared.schedule.algorithm)?;
        Some(found.closed(&self.prepared.request))
    }

    /// The closed form counts rounds with one chunk per block and channel only.
    fn steps(&self) -> Row {
        let pieces = self.prepared.schedule.collective.pieces;
        let request = &self.prepared.request;
        let formula = match self.closed() {
            Some(closed) if request.chunks * request.segments * request.channels == 1 => {
                closed.rounds_formula.into()
            }
            _ => fill(self.words.no_formula, &[("pieces", &pieces)]),
        };
        let value = self.prepared.rounds.rounds.to_string();
        Row { formula, ..self.row(self.words.steps, value) }
    }

    fn sent(&self) -> Row {
        let most = self.prepared.rounds.sent.iter().max().copied().unwrap_or(0);
        let alike = self.prepared.rounds.sent.iter().all(|&sent| sent == most);
        let formula = self.closed().map_or(String::new(), |closed| {
            let (part, of) = closed.sent_most;
            let exact = part * self.vector() == most * self.size * of;
            let text = closed.sent_formula;
            match self.with_numbers(text) {
                Some(numbers) => format!("{text} {} {numbers}", if exact { '=' } else { '≈' }),
                None => format!("{text}, S = {}", bytes(self.vector() as u64)),
            }
        });
        let kind = if alike { "" } else { self.words.busiest }.into();
        let value = bytes((most * self.size) as u64);
        Row { formula, kind, ..self.row(self.words.sent, value) }
    }

    /// A formula in n, N nodes of g and S with their values; `None` for a mere bound.
    fn with_numbers(&self, formula: &str) -> Option<String> {
        let request = &self.prepared.request;
        let (n, nodes) = (request.ranks, request.nodes());
        if formula.starts_with('≤') {
            return None;
        }
        let far = (n - 1).to_string();
        let depth = |n: usize| n.next_power_of_two().trailing_zeros().to_string();
        let text = formula.replace("2(n−1)", &format!("2·{far}")).replace("(n−1)", &far);
        let text = text.replace("(n+1)", &(n + 1).to_string());
        let text = text.replace("⌈log₂n⌉", &depth(n)).replace("/n", &format!("/{n}"));
        let text = text.replace("⌈log₂N⌉", &depth(nodes)).replace('N', &nodes.to_string());
        let text = text.replace("⌊log₂n⌋", &n.ilog2().to_string());
        // A letter only after the logarithms, whose name has it too.
        let text = text.replace('g', &request.ranks_per_node.to_string());
        Some(text.replace('S', &bytes(self.vector() as u64)))
    }

    fn messages(&self) -> Row {
        let total: usize = self.prepared.rounds.messages.iter().sum();
        let most = self.prepared.rounds.messages.iter().max().copied().unwrap_or(0);
        let alike = self.prepared.rounds.messages.iter().all(|&messages| messages == most);
        let template = if alike { self.words.per_rank } else { self.words.at_most };
        let formula = fill(template, &[("n", &most)]);
        Row { formula, ..self.row(self.words.messages, total.to_string()) }
    }

    fn measured(&self, measured: Measured) -> Row {
        let Measured { time_us: time, resolution_us: tick, .. } = measured;
        let values: [(&str, &dyn std::fmt::Display); 2] =
            [("tick", &time_us(tick)), ("time", &time_us(time))];
        let coarse = tick > 0.0 && time < TICKS * tick;
        let note = if coarse { fill(self.words.coarse, &values) } else { String::new() };
        let kind = measured_kind(self.lang, measured.runs);
        Row { kind, note, ..self.row(self.words.time, time_us(time)) }
    }

    fn modelled(&self, topology: &Topology) -> [Row; 2] {
        let Prepared { schedule, lengths, .. } = self.prepared;
        let simulated = event::timing(schedule, lengths, self.size, topology);
        let end = event::end(&simulated);
        let links = links_of(self.lang, topology, self.ranks());
        let row = |kind: &str, time| Row {
            kind: kind.into(),
            note: links.clone(),
            ..self.row(self.words.time, time_us(time))
        };
        [
            row(self.words.rounds, self.prepared.rounds.time_us(topology, self.size)),
            row(self.words.event, end),
        ]
    }

    /// algbw = S/t and busbw = algbw × factor, as nccl-tests reports them.
    fn throughput(&self, measured: Measured) -> Vec<Row> {
        let size = self.vector();
        if self.verb() == Verb::Barrier || size == 0 || measured.time_us <= 0.0 {
            return Vec::new();
        }
        let algbw = size as f64 / measured.time_us;
        let note = fill(self.size_words(), &[("size", &bytes(size as u64))]);
        let kind = measured_kind(self.lang, measured.runs);
        let first = self.row("algbw", rate(algbw));
        let mut rows = vec![Row { formula: "S/t".into(), kind: kind.clone(), note, ..first }];
        let (part, of) = self.verb().bus_factor(self.ranks());
        if part > 0 {
            let factor = if of == 1 { part.to_string() } else { format!("{part}/{of}") };
            let formula = format!("algbw × {factor}");
            let busbw = rate(algbw * part as f64 / of as f64);
            rows.push(Row { formula, kind, ..self.row("busbw", busbw) });
        }
        rows
    }

    fn size_words(&self) -> &'static str {
        match self.verb() {
            Verb::AllGather | Verb::ReduceScatter | Verb::Gather => self.words.size_all,
            Verb::Scatter | Verb::Broadcast => self.words.size_root,
            Verb::SendRecv => self.words.size_sender,
            _ => self.words.size_each,
        }
    }

    /// What no algorithm can undercut when every rank sends and receives one message at a time, and
    /// only ranks compute: rounds, and bytes that the busiest rank sends. Only where it is
    /// published: E. Chan, M. Heimlich, A. Purkayastha and R. van de Geijn, "Collective
    /// communication: theory, practice, and experience" (2007), section 4, has the seven verbs
    /// below.
    fn bound(&self) -> Option<Row> {
        let (n, s) = (self.ranks(), self.vector());
        let switches = self.prepared.schedule.switches;
        if n == 1
            || switches > 0
            || self.prepared.rounds.ports > 1
            || self.prepared.rounds.ports_in > 1
        {
            return None;
        }
        let steps = n.next_power_of_two().ilog2();
        let c = &self.prepared.schedule.collective;
        let own: usize = c
            .required(c.root)
            .iter()
            .map(|r| c.place(r.label))
            .map(|place| self.prepared.lengths.range(place).len() * self.size)
            .sum();
        let (formula, sent) = match self.verb() {
            Verb::AllReduce => ("2(n−1)/n · S", (2 * (n - 1) * s).div_ceil(n)),
            Verb::AllGather | Verb::ReduceScatter => ("(n−1)/n · S", ((n - 1) * s).div_ceil(n)),
            Verb::Scatter => ("(n−1)/n · S", s - own),
            Verb::Gather => ("S/n", s.div_ceil(n)),
            Verb::Broadcast | Verb::Reduce => ("S", s),
            Verb::AllToAll | Verb::SendRecv | Verb::Shift | Verb::Barrier => return None,
        };
        let count = fill(self.words.bound_steps, &[("n", &steps)]);
        let value = format!("{count}\u{a0}· {}", bytes(sent as u64));
        let formula = format!("⌈log₂n⌉; {formula}");
        Some(Row {
            formula,
            kind: self.words.bound_kind.into(),
            ..self.row(self.words.bound, value)
        })
    }
}
