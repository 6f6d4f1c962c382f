//! From one scenario to the next: what still fits is kept, the rest gets its default.

use super::rules::Editor;
use super::*;

impl Scenario {
    /// The same scenario with one field changed by hand, by its name in the URL or `verb`; a value
    /// that breaks a rule leaves the field as it was. What else had to change is in the notices.
    pub fn edit(&self, field: Field, raw: &str) -> (Scenario, Vec<Notice>) {
        let mut editor = Editor::by_hand(self.clone());
        editor.set(field, raw);
        (editor.scenario, editor.notices)
    }

    /// The same scenario with other numbers for one rank, typed by hand: as many as it holds.
    pub fn edit_row(&self, rank: Rank, raw: &str) -> (Scenario, Vec<Notice>) {
        let mut editor = Editor::by_hand(self.clone());
        editor.row(rank, raw);
        (editor.scenario, editor.notices)
    }

    /// The same scenario for a run of `last` steps: a step or loop beyond them is brought back.
    pub fn within(&self, last: usize) -> (Scenario, Vec<Notice>) {
        let (mut next, mut notices) = (self.clone(), Vec::new());
        let mut limit = |field, value: usize, least: usize| {
            let (value, least, most) = (value.to_string(), least as u64, last as u64);
            notices.push(Notice::OutOfRange { field, value, least, most, used: most });
        };
        if self.step > last {
            limit("step", self.step, 0);
            next.step = last;
        }
        match self.looped {
            Some((from, to)) if from >= last => {
                notices.push(Notice::BadLoop { value: format!("{from}-{to}") });
                next.looped = None;
            }
            Some((from, to)) if to > last => {
                limit("loop", to, from + 1);
                next.looped = Some((from, last));
            }
            _ => {}
        }
        (next, notices)
    }

    /// The same scenario with another verb.
    pub fn with_verb(&self, verb: Verb) -> Scenario {
        let default = |verb| algorithm::serving(verb).next().map_or("ring", |a| a.name);
        // Only a choice is kept: what was the default of one verb becomes the default of the next.
        let chosen = self.algorithm != default(self.verb);
        let serves = algorithm::find(self.algorithm).is_some_and(|a| a.verbs.contains(&verb));
        let next = Scenario {
            verb,
            algorithm: if serves && chosen { self.algorithm } else { default(verb) },
            root: if verb.has_root() { self.root } else { 0 },
            in_place: self.in_place && verb.runs_in_place(),
            ..self.clone()
        };
        match next.refusal() {
            // The only refusal left is a verb for two in a group of one.
            Some(_) => next.with_ranks(2),
            None => next.restarted().settled(),
        }
    }

    /// The length a vector of numbers has until another is chosen: one number for each chunk that a
    /// ring would make, where so many can be typed.
    pub(super) fn usual_len(ranks: usize, pieces: usize) -> usize {
        if ranks * pieces <= MAX_NUMBERS { ranks * pieces } else { ranks }
    }

    /// Whether the vector still has its usual length.
    fn has_usual_len(&self) -> bool {
        let usual = Scenario::usual_len(self.ranks, self.pieces);
        matches!(self.data, Data::Numbers(_)) && self.shape.is_none() && self.elements() == usual
    }

    /// The same scenario with blocks cut into another number of chunks, at least 1.
    pub(super) fn with_pieces(&self, pieces: usize) -> Scenario {
        let next = Scenario { pieces, ..self.clone() }.restarted();
        let len = Scenario::usual_len(self.ranks, pieces);
        if self.has_usual_len() { next.with_len(len) } else { next }
    }

    /// The same scenario with another group size, at least 1: rows are added or dropped; while the
    /// vector had its usual length, it keeps that.
    pub fn with_ranks(&self, ranks: usize) -> Scenario {
        assert!(ranks > 0, "a group has at least one rank");
        let usual = Scenario::usual_len(ranks, self.pieces);
        let len = if self.has_usual_len() { usual } else { self.elements() };
        let data = match &self.data {
            Data::Numbers(rows) => numbers(rows, ranks, len),
            bytes => bytes.clone(),
        };
        Scenario {
            ranks,
            root: self.root.min(ranks - 1),
            selected: self.selected.min(ranks - 1),
            data,
            ..self.clone()
        }
        .restarted()
        .settled()
    }

    /// The same scenario with a flat vector of another length, in numbers.
    pub fn with_len(&self, len: usize) -> Scenario {
        let rows: &[Vec<f64>] = match &self.data {
            Data::Numbers(rows) => rows,
            Data::Bytes(_) => &[],
        };
        let data = numbers(rows, self.ranks, len);
        Scenario { data, shape: None, ..self.clone() }.settled()
    }

    /// The same scenario with a tensor of numbers, of at least one element.
    pub(super) fn with_tensor(&self, tensor: Tensor) -> Scenario {
        let next = self.with_len(tensor.elements().unwrap_or(0));
        let shape = (tensor.shape.len() > 1).then_some(tensor);
        Scenario { shape, ..next }.settled()
    }

    /// Puts numbers typed for `rank` where they belong; they are as many as it holds.
    pub fn type_numbers(&mut self, rank: Rank, numbers: &[f64]) {
        let held = self.held(rank);
        if let Data::Numbers(rows) = &mut self.data
            && let Some(row) = rows.get_mut(rank)
        {
            for (position, &number) in held.into_iter().zip(numbers) {
                if let Some(slot) = row.get_mut(position) {
                    *slot = number;
                }
            }
        }
    }

    /// From the first step, without a loop: the steps are other ones now.
    pub(super) fn restarted(self) -> Scenario {
        Scenario { step: 0, looped: None, ..self }
    }

    /// Numbers that no rank holds get their defaults, so that the URL says everything.
    pub(super) fn settled(mut self) -> Scenario {
        let held: Vec<Vec<usize>> = (0..self.ranks).map(|rank| self.held(rank)).collect();
        if let Data::Numbers(rows) = &mut self.data {
            for (rank, (row, held)) in rows.iter_mut().zip(&held).enumerate() {
                for (position, number) in row.iter_mut().enumerate() {
                    if !held.contains(&position) {
                        *number = default_number(rank, position);
                    }
                }
            }
        }
        self
    }
}

/// `len` numbers at each of `ranks` ranks: those of `rows` where it has them.
fn numbers(rows: &[Vec<f64>], ranks: usize, len: usize) -> Data {
    let number = |rank: Rank, position: usize| {
        let kept = rows.get(rank).and_then(|row| row.get(position)).copied();
        kept.unwrap_or_else(|| default_number(rank, position))
    };
    let row = |rank| (0..len).map(|position| number(rank, position)).collect();
    Data::Numbers((0..ranks).map(row).collect())
}
