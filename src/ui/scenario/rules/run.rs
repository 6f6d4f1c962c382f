//! The rules of the fields that choose what runs.

use super::super::notice::short;
use super::*;
use crate::engine::reduce::{Accumulate, MeanKind};

impl Editor {
    /// Takes `next` unless it is refused; `used` says what stays then.
    pub(super) fn admit(&mut self, next: Scenario, used: impl FnOnce(&Scenario) -> String) {
        match next.refusal() {
            None => self.scenario = next,
            Some(refusal) => {
                let used = used(&self.scenario);
                self.notices.push(Notice::Refused { refusal, used });
            }
        }
    }

    pub(super) fn verb(&mut self, raw: &str) {
        let verbs = Verb::ALL.map(|verb| (verb.name(), verb));
        let Some(verb) = self.choice("verb", raw, &verbs, self.scenario.verb) else { return };
        let old = self.scenario.clone();
        self.scenario = old.with_verb(verb);
        if old.in_place && !self.scenario.in_place {
            let refusal = Refusal::InPlace(verb);
            self.notices.push(Notice::Refused { refusal, used: "out".to_string() });
        }
        if old.ranks != self.scenario.ranks {
            let refused = Scenario { ranks: old.ranks, root: 0, ..self.scenario.clone() };
            let used = self.scenario.ranks.to_string();
            let refusal = refused.refusal();
            self.notices.extend(refusal.map(|refusal| Notice::Refused { refusal, used }));
        }
    }

    pub(super) fn ranks(&mut self, raw: &str) {
        let old = self.scenario.clone();
        let Some(ranks) = self.number("n", raw, (1, MAX_RANKS), old.ranks) else { return };
        if ranks == old.ranks {
            return;
        }
        let next = old.with_ranks(ranks);
        self.scenario = match next.refusal() {
            None => next,
            // The number asked for counts more than the algorithm: the verb's default takes any,
            // unless the verb is one for two.
            Some(refusal) => {
                let default = algorithm::serving(old.verb).next().map_or("ring", |a| a.name);
                let plain = Scenario { variant: Variant::default(), ..next.clone() };
                let other = next.with_algorithm(default);
                let two = if self.nearest { old.with_ranks(2) } else { old.clone() };
                let (next, used) = if plain.refusal().is_none() {
                    (plain, Variant::default().name().to_string())
                } else if other.refusal().is_none() {
                    (other, default.to_string())
                } else {
                    let ranks = two.ranks.to_string();
                    (two, ranks)
                };
                self.notices.push(Notice::Refused { refusal, used });
                next
            }
        };
        if self.scenario.root < old.root {
            let (value, used) = (old.root.to_string(), self.scenario.root as u64);
            let (least, most) = (0, self.scenario.ranks as u64 - 1);
            self.notices.push(Notice::OutOfRange { field: "root", value, least, most, used });
        }
    }

    pub(super) fn root(&mut self, raw: &str) {
        let s = &self.scenario;
        let (verb, most, current) = (s.verb, s.ranks - 1, s.root);
        if !verb.has_root() {
            if raw.trim() != "0" {
                self.notices.push(Notice::NoRoot { verb, value: short(raw) });
            }
            return;
        }
        if let Some(root) = self.number("root", raw, (0, most), current) {
            self.scenario = Scenario { root, ..self.scenario.clone() }.settled();
        }
    }

    pub(super) fn dtype(&mut self, raw: &str) {
        let types = Dtype::ALL.map(|dtype| (dtype.name(), dtype));
        let Some(dtype) = self.choice("type", raw, &types, self.scenario.dtype) else { return };
        if dtype == self.scenario.dtype {
            return;
        }
        self.scenario.dtype = dtype;
        if !self.scenario.op.supports(dtype) {
            self.scenario.op = ReduceOp::Mean(MeanKind::PostScale);
            self.notices.push(Notice::MeanOfIntegers { used: self.scenario.op.name() });
        }
        self.settle_accumulation();
        self.fit_data();
    }

    pub(super) fn op(&mut self, raw: &str) {
        let ops = ReduceOp::ALL.map(|op| (op.name(), op));
        let Some(op) = self.choice("op", raw, &ops, self.scenario.op) else { return };
        if op.supports(self.scenario.dtype) {
            self.scenario.op = op;
            return self.settle_accumulation();
        }
        if self.nearest {
            self.scenario.op = ReduceOp::Mean(MeanKind::PostScale);
        }
        self.notices.push(Notice::MeanOfIntegers { used: self.scenario.op.name() });
    }

    /// What has nothing to round is computed in the type.
    fn settle_accumulation(&mut self) {
        let Scenario { accumulate, op, dtype, .. } = self.scenario;
        if !accumulate.supports(op, dtype) {
            self.scenario.accumulate = Accumulate::InType;
        }
    }

    /// Another schedule may send its partial sums about, so that nobody can keep them.
    pub(super) fn settle_owner(&mut self) {
        if !self.scenario.admits(self.scenario.accumulate) {
            self.scenario.accumulate = Accumulate::InType;
            self.notices.push(Notice::SumsTravel { used: Accumulate::InType.name() });
        }
    }

    pub(super) fn accumulate(&mut self, raw: &str) {
        let choices = Accumulate::ALL.map(|accumulate| (accumulate.name(), accumulate));
        let Scenario { accumulate, op, dtype, .. } = self.scenario;
        match self.choice("acc", raw, &choices, accumulate) {
            Some(chosen) if chosen.supports(op, dtype) => {
                if self.scenario.admits(chosen) {
                    self.scenario.accumulate = chosen;
                } else {
                    self.notices.push(Notice::SumsTravel { used: accumulate.name() });
                }
            }
            Some(_) => self.notices.push(Notice::NothingToRound { op, dtype }),
            None => {}
        }
    }

    pub(super) fn place(&mut self, raw: &str) {
        let places = [("out", false), ("in", true)];
        if let Some(in_place) = self.choice("place", raw, &places, self.scenario.in_place) {
            let next = Scenario { in_place, ..self.scenario.clone() };
            self.admit(next, |_| "out".to_string());
        }
    }

    pub(super) fn algo(&mut self, raw: &str) {
        let s = &self.scenario;
        match algorithm::find(&raw.trim().to_ascii_lowercase()) {
            Some(found) if !found.verbs.contains(&s.verb) => {
                let refusal = Refusal::Verb { algorithm: found.name, verb: s.verb };
                let used = s.algorithm.to_string();
                self.notices.push(Notice::Refused { refusal, used });
            }
            Some(found) if found.name != s.algorithm => {
                let next = s.with_algorithm(found.name);
                self.admit(next, |s| s.algorithm.to_string());
            }
            Some(_) => {}
            None => {
                let allowed = algorithm::serving(s.verb).map(|a| a.name).collect();
                let (value, used) = (short(raw), s.algorithm);
                self.notices.push(Notice::NotOneOf { field: "algo", value, allowed, used });
            }
        }
    }

    pub(super) fn chunks(&mut self, raw: &str) {
        let current = self.scenario.pieces;
        match self.number("chunks", raw, (1, MAX_PIECES), current) {
            Some(pieces) if pieces != current => self.scenario = self.scenario.with_pieces(pieces),
            _ => {}
        }
    }

    pub(super) fn segments(&mut self, raw: &str) {
        let current = self.scenario.segments;
        match self.number("segments", raw, (1, MAX_SEGMENTS), current) {
            Some(segments) if segments != current => {
                self.scenario = self.scenario.with_segments(segments);
            }
            _ => {}
        }
    }
}
