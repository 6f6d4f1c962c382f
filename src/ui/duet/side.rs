//! What stands side by side: calls that follow each other, each on what the one before put out.

use super::link::{Link, Topic};
use crate::engine::collective::Verb;
use crate::engine::cost::Topology;
use crate::engine::oracle::Inputs;
use crate::engine::reduce::plain::Values;
use crate::engine::reduce::{Accumulate, Reduction};
use crate::engine::simulate::simulate;
use crate::engine::trace::Clock;
use crate::ui::scenario::{Prepared, Scenario, Unprepared};
use crate::ui::score::Act;
use crate::ui::take::Take;

/// One side.
#[derive(Clone, PartialEq)]
pub struct Side {
    /// Its calls, at least one.
    pub takes: Vec<Take>,
}

impl Side {
    /// A side of one call.
    fn single(prepared: Prepared) -> Side {
        Side { takes: vec![Take::new(prepared)] }
    }

    /// The calls on a clock, and the clock they are really on.
    pub fn acts(&self, clock: Clock, topology: &Topology) -> (Vec<Act>, Clock) {
        let (mut starts, mut shown) = (0.0, clock);
        let act = |take: &Take| {
            let (replay, on) = take.replay(clock, topology);
            let act = Act { prepared: take.prepared.clone(), replay, starts };
            (starts, shown) = (act.ends(), on);
            act
        };
        (self.takes.iter().map(act).collect(), shown)
    }

    /// What every rank ends with, in the element type: what workers put out, once they have run.
    pub fn outputs(&self) -> Vec<Vec<u8>> {
        self.takes.last().map_or(Vec::new(), outputs)
    }

    /// Whether workers ran all of it.
    pub fn is_recorded(&self) -> bool {
        self.takes.iter().all(|take| take.recorded.is_some())
    }
}

/// What every rank ends a call with, in the element type.
pub fn outputs(take: &Take) -> Vec<Vec<u8>> {
    let Prepared { schedule, run, .. } = &*take.prepared;
    let recorded = take.recorded.as_ref();
    let outputs: Option<Vec<Vec<u8>>> = recorded.and_then(|r| r.outputs.iter().cloned().collect());
    let outputs = outputs.unwrap_or_else(|| simulate(schedule, run, 0).outputs);
    let Reduction { dtype, .. } = run.reduction;
    match run.reduction.wire() {
        wire if wire == dtype => outputs,
        // It has been rounded to the type already.
        wire => outputs.iter().map(|bytes| Values::read(wire, bytes).bytes(dtype)).collect(),
    }
}

/// The same call on other inputs, one after the other the blocks of each rank.
pub fn on(take: &Take, inputs: Vec<Vec<u8>>) -> Take {
    let mut prepared = (*take.prepared).clone();
    prepared.run.inputs = Inputs::Typed(inputs);
    Take::new(prepared)
}

/// What a link shows side by side.
pub fn sides(link: &Link) -> Result<Vec<Side>, Unprepared> {
    let s = &link.scenario;
    match &link.topic {
        Topic::Halves => {
            let half = |verb| Scenario { verb, ..s.clone() }.prepare().map(Take::new);
            let first = half(Verb::ReduceScatter)?;
            let second = on(&half(Verb::AllGather)?, outputs(&first));
            Ok(vec![Side::single(s.prepare()?), Side { takes: vec![first, second] }])
        }
        Topic::Reversal { turned: false } => Ok(vec![Side::single(s.prepare()?)]),
        Topic::Reversal { turned: true } => {
            let schedule = s.algorithm().build_reversed(&s.request());
            let schedule = schedule.map_err(Unprepared::Refused)?;
            let dual = Scenario { verb: schedule.collective.verb, ..s.clone() };
            Ok(vec![Side::single(dual.prepare_as(schedule)?)])
        }
        Topic::Neutral => {
            let (all, one) = neutral(s)?;
            Ok(vec![Side::single(all), Side::single(one)])
        }
        Topic::Pair(pair) => pair.iter().map(|s| Ok(Side::single(s.prepare()?))).collect(),
    }
}

/// An AllReduce in which all ranks but the first hold the operator's neutral element, and the
/// Broadcast of what the first holds.
fn neutral(s: &Scenario) -> Result<(Prepared, Prepared), Unprepared> {
    let mut all = s.prepare()?;
    let one =
        Scenario { data: s.data.clone(), shape: None, root: 0, ..s.with_verb(Verb::Broadcast) };
    let one = one.prepare()?;
    let reduction = Reduction { accumulate: Accumulate::InType, ..all.run.reduction };
    let labels = all.schedule.collective.input(0);
    let own = all.run.inputs.of(reduction, 0, &labels, &all.lengths);
    let element = s.op.neutral(s.dtype).map_or(Vec::new(), |element| element.bytes(s.dtype));
    let others = element.repeat(all.lengths.total());
    let rows = (0..s.ranks).map(|rank| if rank == 0 { own.clone() } else { others.clone() });
    all.run.inputs = Inputs::Typed(rows.collect());
    Ok((all, one))
}
