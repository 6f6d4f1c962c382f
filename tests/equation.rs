//! The claims of the equation's page, each computed by the engine.
#![cfg(not(target_arch = "wasm32"))]

use ringscope::engine::algorithm::{self, Request};
use ringscope::engine::collective::Verb;
use ringscope::engine::cost::OfS;
use ringscope::engine::reduce::plain::ARITHMETIC;
use ringscope::engine::reduce::{Accumulate, Dtype, ReduceOp, Reduction};
use ringscope::engine::trace::Clock;
use ringscope::engine::training::zero::{Cargo, Strategy, Transfer, without_factor};
use ringscope::ui::duet::bill::Bill;
use ringscope::ui::duet::compared::{Comparison, comparisons};
use ringscope::ui::duet::link::{Link, Topic};
use ringscope::ui::duet::side::{Side, outputs, sides};
use ringscope::ui::scenario::{Data, Scenario};
use ringscope::ui::score::Act;

/// An experiment with AllReduce.
fn link(
    topic: Topic,
    algorithm: &'static str,
    ranks: usize,
    change: impl Fn(&mut Scenario),
) -> Link {
    let mut scenario = Scenario { algorithm, ..Scenario::default() }.with_ranks(ranks);
    change(&mut scenario);
    Link { topic, scenario }
}

/// What is shown on the clock of rounds.
fn shown(link: &Link) -> (Vec<Side>, Vec<Comparison>) {
    let sides = sides(link).unwrap_or_else(|why| panic!("{why:?}"));
    let acts = |side: &Side| side.acts(Clock::Rounds, link.scenario.view.topology).0;
    let acts: Vec<Vec<Act>> = sides.iter().map(acts).collect();
    let found = comparisons(&link.topic, &sides, &acts);
    (sides, found)
}

/// The algorithms that serve AllReduce and both halves of it.
fn halving(ranks: usize) -> Vec<&'static str> {
    let serves = |a: &&algorithm::Algorithm| {
        [Verb::AllReduce, Verb::ReduceScatter, Verb::AllGather]
            .iter()
            .all(|&verb| a.refusal(&Request::new(verb, ranks)).is_none())
    };
    algorithm::ALL.iter().filter(serves).map(|a| a.name).collect()
}

#[test]
fn halves_equal_the_whole_bit_for_bit() {
    assert!(halving(4).len() >= 5, "{:?}", halving(4));
    let mut reordered = 0;
    for ranks in 1..=8 {
        for name in halving(ranks) {
            for reduction in Reduction::all(ranks) {
                // Lengths that the ranks do not divide, and numbers that add up with rounding.
                let link = link(Topic::Halves, name, ranks, |s| {
                    *s = s.with_len(2 * ranks + 1);
                    (s.op, s.dtype) = (reduction.op, reduction.dtype);
                    s.accumulate = reduction.accumulate;
                    if let Data::Numbers(rows) = &mut s.data
                        && s.dtype.format().is_some()
                    {
                        rows.iter_mut().flatten().for_each(|x| *x = *x * 0.7 - 2.1);
                    }
                });
                if !link.scenario.admits(reduction.accumulate) {
                    continue;
                }
                let what = format!("{name} n={ranks} {reduction:?}");
                let (_, found) = shown(&link);
                let compared: Vec<_> = found.iter().map(|c| (c.compared, c.different)).collect();
                let len = 2 * ranks + 1;
                // Between nodes its AllReduce adds up in another order than its halves.
                if name == "hierarchical" && reduction.dtype.format().is_some() {
                    assert_eq!([compared[0].0, compared[1].0], [len, len * ranks], "{what}");
                    reordered += compared[1].1;
                    continue;
                }
                assert_eq!(compared, [(len, 0), (len * ranks, 0)], "{what}");
                assert_eq!(found[0].after, Some(Verb::ReduceScatter));
                assert!(found[0].at <= found[1].at, "{what}");
            }
        }
    }
    assert!(reordered > 0, "another order is noticed");
}

#[test]
fn a_wrong_half_is_noticed() {
    let link = link(Topic::Halves, "ring", 4, |_| {});
    let (mut sides, _) = shown(&link);
    let mut spoilt = outputs(&sides[1].takes[0]);
    spoilt[2][0] ^= 1;
    sides[1].takes[1] = ringscope::ui::duet::side::on(&sides[1].takes[1], spoilt);
    let acts = |side: &Side| side.acts(Clock::Rounds, link.scenario.view.topology).0;
    let acts: Vec<Vec<Act>> = sides.iter().map(acts).collect();
    let found = comparisons(&link.topic, &sides, &acts);
    // Rank 2's number is wrong at all four ranks.
    assert_eq!((found[0].different, found[1].different), (0, 4));
}

#[test]
fn the_neutral_element_changes_nothing() {
    for reduction in Reduction::all(4) {
        let Reduction { op, dtype, accumulate, .. } = reduction;
        let Some(neutral) = op.neutral(dtype) else {
            assert!(matches!(op, ReduceOp::Mean(_)));
            continue;
        };
        if accumulate != Accumulate::InType {
            continue;
        }
        // Every element of one byte; of the others a stretch of patterns, and both zeros.
        let size = dtype.size_bytes();
        let patterns = (0..=0xffffu32).flat_map(|x| {
            let x = u64::from(x) << (8 * size.saturating_sub(2));
            x.to_le_bytes()[..size].to_vec()
        });
        let values: Vec<u8> = patterns.collect();
        let other = neutral.bytes(dtype).repeat(values.len() / size);
        for (mut acc, with) in [(values.clone(), &other), (other.clone(), &values)] {
            reduction.combine(&ARITHMETIC, &mut acc, with);
            let wrong = acc
                .chunks(size)
                .zip(values.chunks(size))
                .find(|(a, b)| a != b && !strange(dtype, b));
            assert_eq!(wrong, None, "{op:?} of {dtype:?}");
        }
    }
}

/// Whether arithmetic does not keep an element as it is: NaN has many patterns, and an infinity of
/// a type that saturates becomes its largest number.
fn strange(dtype: Dtype, bytes: &[u8]) -> bool {
    let saturates = dtype.format().is_some_and(|format| format.saturates);
    let values = ringscope::engine::reduce::plain::Values::read(dtype, bytes);
    values.floats().iter().any(|x| x.is_nan() || (saturates && x.is_infinite()))
}

#[test]
fn broadcast_is_the_all_reduce_of_one() {
    for name in ["ring", "tree", "direct", "recursive-doubling", "double-tree", "one-shot"] {
        for reduction in Reduction::all(4) {
            let link = link(Topic::Neutral, name, 4, |s| {
                (s.op, s.dtype) = (reduction.op, reduction.dtype);
                s.accumulate = reduction.accumulate;
            });
            let known = reduction.op.neutral(reduction.dtype).is_some();
            if !known || !link.scenario.admits(reduction.accumulate) {
                continue;
            }
            let (sides, found) = shown(&link);
            let len = link.scenario.elements();
            assert_eq!(found.len(), 1);
            assert_eq!(
                (found[0].compared, found[0].different),
                (4 * len, 0),
                "{name} {reduction:?}"
            );
            assert_eq!(sides[1].takes[0].prepared.schedule.collective.verb, Verb::Broadcast);
        }
    }
}

#[test]
fn both_halves_cost_what_the_whole_costs() {
    for ranks in 2..=9 {
        let link = link(Topic::Halves, "ring", ranks, |s| *s = s.with_len(7 * ranks));
        let (sides, _) = shown(&link);
        let topology = link.scenario.view.topology;
        let bills: Vec<Bill> = sides.iter().filter_map(|side| Bill::of(side, topology)).collect();
        let [whole, halves] = [bills[0].whole, bills[1].whole];
        assert_eq!((whole.rounds, whole.sent), (halves.rounds, halves.sent));
        assert_eq!(whole.messages, halves.messages);
        assert!((whole.modelled_us - halves.modelled_us).abs() < 1e-6 * whole.modelled_us);
        let [(_, scatter), (_, gather)] = bills[1].calls[..] else { panic!("two calls") };
        assert_eq!((scatter.sent, gather.sent), (whole.sent / 2, whole.sent / 2));
        assert_eq!(whole.measured_us, None);
    }
}

/// What ZeRO's stages send, as papers count it: (gradients, the whole step).
#[test]
fn zero_halves_the_gradients_and_not_the_step() {
    let psi = |whole: usize| OfS::new(whole, 1);
    let expected = [
        (Strategy::DataParallel, psi(2), psi(2)),
        (Strategy::Zero1, psi(1), psi(2)),
        (Strategy::Zero2, psi(1), psi(2)),
        (Strategy::Zero3, psi(1), psi(3)),
        (Strategy::WholeGradients, psi(2), psi(3)),
    ];
    assert_eq!(expected.map(|(strategy, ..)| strategy), Strategy::ALL);
    for ranks in 2..=16 {
        for name in
            halving(ranks).into_iter().filter(|name| !matches!(*name, "hierarchical" | "nvls"))
        {
            let algorithm = algorithm::find(name).expect("a registered name");
            for (strategy, gradients, step) in expected {
                let total = |only: Option<Cargo>| {
                    let transfers = strategy.transfers().into_iter();
                    let counted = transfers.filter(|t| only.is_none_or(|cargo| t.cargo == cargo));
                    let sent = |t: Transfer| t.sent(algorithm, ranks).expect("it is served");
                    let total = counted.map(sent).fold(OfS::new(0, 1), OfS::plus);
                    without_factor(total, ranks).expect("more than one rank")
                };
                let what = format!("{strategy:?}, {name} over {ranks}");
                assert_eq!(total(Some(Cargo::Gradients)), gradients, "{what}");
                assert_eq!(total(None), step, "{what}");
            }
        }
    }
    assert_eq!(without_factor(OfS::new(0, 1), 1), None);
}
