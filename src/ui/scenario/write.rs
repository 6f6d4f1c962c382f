//! From a scenario to its URL's fragment.

use super::numbers::{number_text, size_text};
use super::rules::CLOCKS;
use super::*;

impl Scenario {
    /// The readable fragment, without `#`: fields at their defaults are left out.
    pub fn fragment(&self) -> String {
        let fields: Vec<_> = [self.fields_of_run(), self.fields_of_view()].concat();
        let fields: Vec<_> = fields.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mark = if fields.is_empty() { "" } else { "?" };
        format!("/{}{mark}{}", self.verb.name(), fields.join("&"))
    }

    /// What is run.
    fn fields_of_run(&self) -> Vec<(Field, String)> {
        let base = Scenario::default().with_verb(self.verb).with_ranks(self.ranks);
        let mut fields: Vec<(Field, String)> = Vec::new();
        let mut put = |name, differs: bool, value: String| {
            if differs {
                fields.push((name, value));
            }
        };
        put("algo", self.algorithm != base.algorithm, self.algorithm.to_string());
        put("n", self.ranks != Scenario::default().ranks, self.ranks.to_string());
        put("root", self.root != base.root, self.root.to_string());
        put("op", self.op != base.op, self.op.name().to_string());
        put("type", self.dtype != base.dtype, self.dtype.name().to_string());
        put("chunks", self.pieces != base.pieces, self.pieces.to_string());
        put("place", self.in_place, "in".to_string());
        match &self.data {
            Data::Bytes(bytes) => put("size", true, size_text(*bytes)),
            Data::Numbers(rows) => {
                match &self.shape {
                    Some(tensor) => {
                        let shape: Vec<_> = tensor.shape.iter().map(usize::to_string).collect();
                        put("shape", true, shape.join("x"));
                        put("dim", tensor.dim != 0, tensor.dim.to_string());
                    }
                    None => {
                        let len = self.elements();
                        let usual = Scenario::usual_len(self.ranks, self.pieces);
                        put("len", len != usual, len.to_string());
                    }
                }
                let data = self.data_text(rows);
                put("data", !data.is_empty(), data);
            }
        }
        fields
    }

    /// What is shown of it.
    fn fields_of_view(&self) -> Vec<(Field, String)> {
        let base = Scenario::default();
        let clock = CLOCKS.iter().find(|(_, clock)| *clock == self.clock);
        let fields = [
            ("clock", clock.filter(|_| self.clock != base.clock).map(|c| c.0.to_string())),
            ("links", other(self.topology.name, base.topology.name)),
            ("step", other(self.step, base.step)),
            ("loop", self.looped.map(|(from, to)| format!("{from}-{to}"))),
            ("speed", other(self.speed, base.speed)),
            ("rank", other(self.selected, base.selected)),
            ("lang", self.lang.map(|lang| lang.code().to_string())),
            ("theme", self.theme.map(|theme| theme.name().to_string())),
        ];
        fields.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    /// The rows that were typed, rank by rank; a row of default numbers is left empty.
    fn data_text(&self, rows: &[Vec<f64>]) -> String {
        let row = |rank: Rank| {
            let held = self.held(rank).into_iter();
            let number = |position| Some((position, *rows.get(rank)?.get(position)?));
            let numbers: Vec<_> = held.filter_map(number).collect();
            if numbers.iter().all(|&(position, number)| number == default_number(rank, position)) {
                return String::new();
            }
            let numbers: Vec<_> =
                numbers.into_iter().map(|(_, number)| number_text(number)).collect();
            numbers.join(",")
        };
        let rows: Vec<_> = (0..self.ranks).map(row).collect();
        rows.join(";").trim_end_matches(';').to_string()
    }
}

/// `value`, if it is not the default.
fn other<T: PartialEq + ToString>(value: T, default: T) -> Option<String> {
    (value != default).then(|| value.to_string())
}
