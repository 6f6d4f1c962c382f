//! From a scenario to its URL's fragment.

use super::numbers::{number_text, size_text};
use super::rules::CLOCKS;
use super::*;
use crate::ui::text::Lang;

impl Scenario {
    /// The readable fragment, without `#`: fields at their defaults are left out.
    pub fn fragment(&self) -> String {
        let fields = [self.fields_of_run(), self.fields_of_view(), self.fields_of_reader()];
        link(self.verb.name(), &fields.concat())
    }

    /// The fragment of what algorithms compete in, whatever is shown of it and whatever the
    /// numbers.
    pub fn question(&self) -> String {
        let data = Data::Bytes(self.wire().size_bytes() as u64);
        let plain = Scenario { data, shape: None, in_place: false, ..self.clone() };
        let links = other(self.view.topology.name, View::default().topology.name);
        link(self.verb.name(), &[plain.fields_of_run(), given([("links", links)])].concat())
    }

    /// The fragment of a page other than the player, which has the reader's own fields only.
    pub fn page_fragment(&self, page: Page) -> String {
        link(page.name(), &self.fields_of_reader())
    }

    /// The same scenario; where it names a language or a theme, it names the one that is shown.
    pub fn shown_in(&self, lang: Lang, theme: Theme) -> Scenario {
        let (lang, theme) = (self.view.lang.map(|_| lang), self.view.theme.map(|_| theme));
        Scenario { view: View { lang, theme, ..self.view }, ..self.clone() }
    }

    /// The address of a comparison of this scenario with another, which is still to be chosen.
    pub fn compare_fragment(&self) -> String {
        let run = link(self.verb.name(), &self.fields_of_run());
        link(Page::Compare.name(), &[("a", escaped(run.trim_start_matches('/')))])
    }

    /// What is run.
    pub fn fields_of_run(&self) -> Vec<(Field, String)> {
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
        put("acc", self.accumulate != base.accumulate, self.accumulate.name().to_string());
        let usual = self.algorithm().usual(self.verb, self.ranks);
        put("channels", self.channels != usual.channels, self.channels.to_string());
        let per_node = self.ranks_per_node;
        put("ranks-per-node", per_node != usual.ranks_per_node, per_node.to_string());
        put("fold", self.fold != usual.fold, self.fold.name().to_string());
        put("variant", self.variant != usual.variant, self.variant.name().to_string());
        put("chunks", self.pieces != base.pieces, self.pieces.to_string());
        put("segments", self.segments != base.segments, self.segments.to_string());
        put("place", self.in_place, "in".to_string());
        put("via", self.via != base.via, self.via.name().to_string());
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
                        put("len", len != self.usual_len(), len.to_string());
                    }
                }
                let data = self.data_text(rows);
                put("data", !data.is_empty(), data);
            }
        }
        fields
    }

    /// What is shown of it.
    pub fn fields_of_view(&self) -> Vec<(Field, String)> {
        let (view, base) = (&self.view, View::default());
        let clock = CLOCKS.iter().find(|(_, clock)| *clock == view.clock);
        let fields = [
            ("clock", clock.filter(|_| view.clock != base.clock).map(|c| c.0.to_string())),
            ("links", other(view.topology.name, base.topology.name)),
            ("step", other(view.step, base.step)),
            ("loop", view.looped.map(|(from, to)| format!("{from}-{to}"))),
            ("speed", other(view.speed, base.speed)),
            ("rank", other(view.selected, base.selected)),
        ];
        given(fields)
    }

    /// What the reader prefers, whatever is shown.
    pub fn fields_of_reader(&self) -> Vec<(Field, String)> {
        given([
            ("lang", self.view.lang.map(|lang| lang.code().to_string())),
            ("theme", self.view.theme.map(|theme| theme.name().to_string())),
        ])
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

/// A whole fragment as the value of a field of another one: what would end it is escaped.
pub fn escaped(fragment: &str) -> String {
    fragment.replace('%', "%25").replace('&', "%26").replace('+', "%2B").replace('#', "%23")
}

/// A fragment with these fields.
pub fn link(path: &str, fields: &[(Field, String)]) -> String {
    let fields: Vec<_> = fields.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let mark = if fields.is_empty() { "" } else { "?" };
    format!("/{path}{mark}{}", fields.join("&"))
}

/// The fields that have a value.
fn given<const N: usize>(fields: [(Field, Option<String>); N]) -> Vec<(Field, String)> {
    fields.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// `value`, if it is not the default.
fn other<T: PartialEq + ToString>(value: T, default: T) -> Option<String> {
    (value != default).then(|| value.to_string())
}
