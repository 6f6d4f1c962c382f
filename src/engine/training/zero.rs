//! What data parallel training sends in one optimizer step, plainly and with ZeRO.
//!
//! Ψ is the number of parameters, and so of gradients. Papers leave out the factor (n-1)/n: in
//! their count a ReduceScatter or an AllGather of a vector costs Ψ and an AllReduce 2Ψ, because an
//! AllReduce *is* a ReduceScatter and an AllGather. Here every figure is taken from a schedule, as
//! an exact share of Ψ that the busiest rank sends.
//!
//! Example, rings over 4 ranks: an AllReduce of the gradients sends 3/2 Ψ. ZeRO-1 sends 3/4 Ψ of
//! gradients, which is half as much, and 3/4 Ψ of parameters: the whole step is 3/2 Ψ again. ZeRO-3
//! gathers the parameters twice, and sends 9/4 Ψ.
//!
//! Source of the plan of each stage: S. Rajbhandari et al., "ZeRO: Memory Optimizations Toward
//! Training Trillion Parameter Models" (2020), section 7.

use crate::engine::algorithm::{Algorithm, Refusal, Request};
use crate::engine::collective::Verb;
use crate::engine::cost::{OfS, summary};

/// How ranks share the state of training.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// Every rank holds everything.
    DataParallel,
    /// The optimizer's state is shared out.
    Zero1,
    /// So are the gradients.
    Zero2,
    /// So are the parameters.
    Zero3,
    /// The optimizer's state is shared out, but gradients are still reduced for everybody.
    WholeGradients,
}

/// What is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cargo {
    /// The gradients.
    Gradients,
    /// The parameters.
    Parameters,
}

/// When it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    /// Layer by layer, before each is computed.
    Forward,
    /// Layer by layer, before or after each is differentiated.
    Backward,
    /// Once the optimizer has updated its share.
    Update,
}

/// One collective over a vector of Ψ elements, all at once or layer by layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transfer {
    /// The verb.
    pub verb: Verb,
    /// What is sent.
    pub cargo: Cargo,
    /// When.
    pub moment: Moment,
}

impl Strategy {
    /// Every strategy, in the order in which they share more and more; then the one that shares
    /// state, but does not use the equation.
    pub const ALL: [Strategy; 5] = [
        Strategy::DataParallel,
        Strategy::Zero1,
        Strategy::Zero2,
        Strategy::Zero3,
        Strategy::WholeGradients,
    ];

    /// What is sent in one step, in order.
    pub fn transfers(self) -> Vec<Transfer> {
        let gather = |moment| Transfer { verb: Verb::AllGather, cargo: Cargo::Parameters, moment };
        let gradients = |verb| Transfer { verb, cargo: Cargo::Gradients, moment: Moment::Backward };
        match self {
            Strategy::DataParallel => vec![gradients(Verb::AllReduce)],
            Strategy::Zero1 | Strategy::Zero2 => {
                vec![gradients(Verb::ReduceScatter), gather(Moment::Update)]
            }
            Strategy::Zero3 => vec![
                gather(Moment::Forward),
                gather(Moment::Backward),
                gradients(Verb::ReduceScatter),
            ],
            Strategy::WholeGradients => {
                vec![gradients(Verb::AllReduce), gather(Moment::Update)]
            }
        }
    }
}

impl Transfer {
    /// What the busiest of `ranks` ranks sends, as a share of Ψ.
    ///
    /// # Errors
    /// If the algorithm does not serve the verb for so many ranks.
    pub fn sent(&self, algorithm: &Algorithm, ranks: usize) -> Result<OfS, Refusal> {
        let schedule = algorithm.build(&Request::new(self.verb, ranks))?;
        Ok(summary(&schedule).sent_most)
    }
}

/// The same share as papers count it, without the factor (n-1)/n; `None` for a single rank, which
/// sends nothing.
pub fn without_factor(share: OfS, ranks: usize) -> Option<OfS> {
    (ranks > 1).then(|| share.times(OfS::new(ranks, ranks - 1)))
}
