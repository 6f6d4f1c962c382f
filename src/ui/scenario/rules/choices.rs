//! The rules of the options that some algorithms have.

use super::*;

impl Editor {
    pub(super) fn channels(&mut self, raw: &str) {
        let current = self.scenario.channels;
        if let Some(channels) = self.number("channels", raw, (1, MAX_CHANNELS), current) {
            self.choose(|s| Scenario { channels, ..s }, current);
        }
    }

    pub(super) fn ranks_per_node(&mut self, raw: &str) {
        let (current, most) = (self.scenario.ranks_per_node, self.scenario.ranks);
        if let Some(ranks_per_node) = self.number("ranks-per-node", raw, (1, most), current) {
            self.choose(|s| Scenario { ranks_per_node, ..s }, current);
        }
    }

    pub(super) fn fold(&mut self, raw: &str) {
        let (folds, current) = (Fold::ALL.map(|fold| (fold.name(), fold)), self.scenario.fold);
        if let Some(fold) = self.choice("fold", raw, &folds, current) {
            self.choose(|s| Scenario { fold, ..s }, current.name());
        }
    }

    pub(super) fn variant(&mut self, raw: &str) {
        let variants = Variant::ALL.map(|variant| (variant.name(), variant));
        let current = self.scenario.variant;
        if let Some(variant) = self.choice("variant", raw, &variants, current) {
            self.choose(|s| Scenario { variant, ..s }, current.name());
        }
    }

    /// Takes the choice unless the algorithm refuses it; `current` stays then.
    fn choose(&mut self, choice: impl Fn(Scenario) -> Scenario, current: impl ToString) {
        let next = choice(self.scenario.clone());
        let next = self.scenario.keep_len(next).restarted();
        if next.request() != self.scenario.request() {
            self.admit(next, |_| current.to_string());
        }
    }
}
