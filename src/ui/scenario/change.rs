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
        let next = self.keep_len(next.with_choices_that_fit());
        match next.refusal() {
            None => next.restarted().settled(),
            // An algorithm may serve one verb for any number of ranks, and another for some.
            Some(_) => {
                let next = next.with_algorithm(default(verb)).settled();
                // A verb for two needs two.
                if next.refusal().is_none() { next } else { next.with_ranks(2) }
            }
        }
    }

    /// The same scenario with another algorithm, one that serves the verb.
    pub(in crate::ui) fn with_algorithm(&self, algorithm: &'static str) -> Scenario {
        let next = Scenario { algorithm, ..self.clone() };
        self.keep_len(next.with_choices_that_fit()).restarted()
    }

    /// Choices that the algorithm does not have are taken back; nodes are of a size that fits.
    pub(super) fn with_choices_that_fit(self) -> Scenario {
        let plain = self.algorithm().usual(self.verb, self.ranks);
        let has = |choice| self.algorithm().choices.contains(&choice);
        let fits = self.ranks_per_node > 1 && self.ranks.is_multiple_of(self.ranks_per_node);
        let keep = |choice, ours: usize, theirs| if has(choice) { ours } else { theirs };
        Scenario {
            view: View { selected: self.view.selected.min(self.actors() - 1), ..self.view },
            channels: keep(Choice::Channels, self.channels, plain.channels),
            ranks_per_node: match has(Choice::Nodes) && fits {
                true => self.ranks_per_node,
                false => plain.ranks_per_node,
            },
            fold: if has(Choice::Fold) { self.fold } else { plain.fold },
            variant: if has(Choice::Variant) { self.variant } else { plain.variant },
            ..self
        }
    }

    /// The length a vector of numbers has until another is chosen: one number for each chunk that a
    /// ring would make, where so many can be typed.
    pub(super) fn usual_len(&self) -> usize {
        let (ranks, chunks) = (self.ranks, self.ranks * self.collective().pieces);
        if chunks <= MAX_NUMBERS { chunks } else { ranks }
    }

    /// `next`, with the usual length if the vector has it here.
    pub(super) fn keep_len(&self, next: Scenario) -> Scenario {
        let usual = matches!(self.data, Data::Numbers(_))
            && self.shape.is_none()
            && self.elements() == self.usual_len();
        let len = next.usual_len();
        if usual && next.elements() != len { next.with_len(len) } else { next }
    }

    /// The same scenario with blocks cut into another number of chunks, at least 1.
    pub(super) fn with_pieces(&self, pieces: usize) -> Scenario {
        self.keep_len(Scenario { pieces, ..self.clone() }).restarted()
    }

    /// The same scenario with chunks that travel in another number of segments, at least 1.
    pub(super) fn with_segments(&self, segments: usize) -> Scenario {
        self.keep_len(Scenario { segments, ..self.clone() }).restarted()
    }

    /// The same scenario with another group size, at least 1: rows are added or dropped; while the
    /// vector had its usual length, it keeps that.
    pub fn with_ranks(&self, ranks: usize) -> Scenario {
        assert!(ranks > 0, "a group has at least one rank");
        let data = match &self.data {
            Data::Numbers(rows) => numbers(rows, ranks, self.elements()),
            bytes => bytes.clone(),
        };
        let next = Scenario { ranks, root: self.root.min(ranks - 1), data, ..self.clone() };
        self.keep_len(next.with_choices_that_fit()).restarted().settled()
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
        Scenario { view: View { step: 0, looped: None, ..self.view }, ..self }
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
