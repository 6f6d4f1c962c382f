//! Any text opens something that can run, and every scenario is what its link says.

use super::*;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use ringscope::engine::algorithm::{self, Algorithm};
use ringscope::engine::collective::Verb;
use ringscope::engine::cost::TOPOLOGIES;
use ringscope::engine::reduce::{Accumulate, Reduction, plain};
use ringscope::engine::tensor::Tensor;
use ringscope::engine::trace::Clock;
use ringscope::ui::scenario::{
    Data, MAX_DIMS, MAX_FRAGMENT, MAX_NUMBERS, MAX_PIECES, MAX_RANKS, SPEEDS, Theme, View,
    typed_range,
};

/// What a link says of a run, in every combination that can be had.
fn runs() -> impl Strategy<Value = Scenario> {
    let verbs = select(Verb::ALL.to_vec());
    let choices = (0..100usize, 1..=MAX_RANKS, 0..100usize, 1..=MAX_PIECES, any::<bool>());
    let reductions = select(Reduction::all(1).collect::<Vec<_>>());
    let shape = vec(1..=4usize, 2..=MAX_DIMS).prop_map(|shape| Tensor { shape, dim: 0 });
    let shape = (shape, 0..MAX_DIMS).prop_map(|(t, dim)| Tensor { dim: dim % t.shape.len(), ..t });
    let shape = shape.prop_filter("small", |t| t.elements().is_some_and(|e| e <= MAX_NUMBERS));
    let data = prop_oneof![
        (0..=MAX_NUMBERS).prop_map(|len| (Some(Tensor::flat(len)), 0)),
        shape.prop_map(|tensor| (Some(tensor), 0)),
        (1..=8u64 << 20).prop_map(|elements| (None, 8 * elements)),
    ];
    (verbs, choices, reductions, data).prop_map(|(verb, choices, reduction, (tensor, bytes))| {
        let (algorithm, ranks, root, pieces, in_place) = choices;
        let ranks = if verb == Verb::SendRecv { ranks.max(2) } else { ranks };
        let serves = |a: &&Algorithm| a.refusal(&a.usual(verb, ranks)).is_none();
        let algorithms: Vec<_> = algorithm::serving(verb).filter(serves).map(|a| a.name).collect();
        let base = Scenario::default().with_verb(verb).with_ranks(ranks);
        let base = match &tensor {
            Some(tensor) => base.with_len(tensor.elements().unwrap_or(0)),
            None => Scenario { data: Data::Bytes(bytes), ..base },
        };
        let run = Scenario {
            algorithm: algorithms[algorithm % algorithms.len()],
            root: if verb.has_root() { root % ranks } else { 0 },
            op: reduction.op,
            dtype: reduction.dtype,
            accumulate: reduction.accumulate,
            pieces,
            in_place: in_place && verb.runs_in_place(),
            shape: tensor.filter(|tensor| tensor.shape.len() > 1),
            ..base
        };
        match run.admits(run.accumulate) {
            true => run,
            false => Scenario { accumulate: Accumulate::InType, ..run },
        }
    })
}

/// Every valid scenario.
fn scenarios() -> impl Strategy<Value = Scenario> {
    let numbers = vec(any::<f32>().prop_filter("finite", |x| x.is_finite()), 64);
    let views = (
        select(vec![Clock::Rounds, Clock::Measured, Clock::Modelled]),
        0..TOPOLOGIES.len(),
        any::<Index>(),
        proptest::option::of((any::<Index>(), any::<Index>())),
        select(SPEEDS.to_vec()),
        0..100usize,
        select(vec![None, Some(Lang::En), Some(Lang::Zh)]),
        select(vec![None, Some(Theme::Light), Some(Theme::Dark)]),
    );
    let typed = (any::<u16>(), numbers);
    (runs(), typed, views).prop_map(|(run, (typed, numbers), view)| {
        let (clock, links, step, looped, speed, selected, lang, theme) = view;
        let mut scenario = run;
        let steps = scenario.steps();
        let step = step.index(steps + 1);
        let looped = looped.filter(|_| steps > 0).map(|(a, b)| {
            let (a, b) = (a.index(steps) + 1, b.index(steps) + 1);
            (a.min(b), a.max(b))
        });
        for rank in (0..scenario.ranks).filter(|rank| typed >> rank & 1 == 1) {
            let dtype = scenario.dtype;
            let number = |&x: &f32| match dtype.format() {
                None => {
                    let (least, most) = typed_range(dtype);
                    f64::from(x).trunc().clamp(least, most)
                }
                // Neither an infinity, nor 0 without being 0.
                Some(format) => match plain::nearest(format, x.into()) {
                    held if held.is_infinite() || held == 0.0 => held.signum(),
                    _ => f64::from(x),
                },
            };
            let row: Vec<f64> = numbers.iter().map(number).collect();
            scenario.type_numbers(rank, &row);
        }
        let selected = selected % scenario.ranks;
        let topology = &TOPOLOGIES[links];
        let view = View { clock, topology, step, looped, speed, selected, lang, theme };
        Scenario { view, ..scenario }
    })
}

/// Text that looks like a link, with anything in it.
fn links() -> impl Strategy<Value = String> {
    let names = [
        "n", "root", "type", "op", "acc", "place", "algo", "chunks", "size", "shape", "len", "dim",
        "data", "via", "clock", "links", "step", "loop", "speed", "rank", "lang", "theme", "x",
    ];
    let values = prop_oneof![
        any::<String>(),
        "[0-9.,;x%+e -]{0,12}",
        any::<i64>().prop_map(|number| number.to_string()),
        select(vec![
            "i32", "f64", "bf16", "u8", "f32", "mean-pre", "in", "tree", "direct", "2x4", "1MiB",
            "3-7", "16", "1"
        ])
        .prop_map(str::to_string),
    ];
    let field =
        (select(names.to_vec()), values).prop_map(|(name, value)| format!("{name}={value}"));
    let page = prop_oneof![
        select(Verb::ALL.to_vec()).prop_map(|verb| verb.name().to_string()),
        any::<String>(),
    ];
    (page, vec(field, 0..8)).prop_map(|(page, fields)| format!("#/{page}?{}", fields.join("&")))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_scenario_is_what_its_link_says(scenario in scenarios()) {
        let fragment = scenario.fragment();
        prop_assert!(fragment.len() <= MAX_FRAGMENT);
        prop_assert_eq!(parse(&fragment), (Page::Player, scenario, Vec::new()));
    }

    #[test]
    fn any_text_opens_something_that_can_run(text in prop_oneof![any::<String>(), links()]) {
        let (_, scenario, found) = parse(&text);
        prop_assert!(scenario.prepare().is_ok(), "{:?}", scenario);
        prop_assert!(found.len() <= 64);
        found.iter().for_each(|notice| assert_says(notice, &[]));
        prop_assert_eq!(parse(&scenario.fragment()).1, scenario);
    }

    #[test]
    fn any_edit_leads_to_something_that_can_run(
        before in scenarios(),
        field in select(vec![
            "verb", "n", "root", "type", "op", "acc", "place", "algo", "channels",
            "ranks-per-node", "fold", "variant", "chunks", "size", "shape", "len", "dim", "data",
            "via", "clock", "links", "step", "loop", "speed", "rank", "lang", "theme", "x",
        ]),
        raw in prop_oneof![
            any::<String>(),
            "[0-9]{1,2}",
            "[0-9]x[0-9]",
            select(Verb::ALL.to_vec()).prop_map(|verb| verb.name().to_string()),
            select(vec!["i32", "f32", "bf16", "u8", "i64", "mean-pre", "max", "in", "1MiB"])
                .prop_map(str::to_string),
            select(vec!["tree", "linear", "double-tree", "hierarchical", "pairwise", "xor"])
                .prop_map(str::to_string),
            select(vec!["recursive-doubling", "rabenseifner", "neighbor-exchange", "ompi", "nhr"])
                .prop_map(str::to_string),
        ],
    ) {
        let (after, found) = before.edit(field, &raw);
        prop_assert!(after.prepare().is_ok(), "{:?}", after);
        found.iter().for_each(|notice| assert_says(notice, &[]));
        prop_assert_eq!(parse(&after.fragment()), (Page::Player, after, Vec::new()));
    }
}
