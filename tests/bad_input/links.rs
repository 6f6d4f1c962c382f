//! Links with fields that break a rule, and links that are hardly links.

use super::*;
use ringscope::engine::algorithm::{self, Refusal, Rule};
use ringscope::engine::collective::Verb;
use ringscope::engine::cost::TOPOLOGIES;
use ringscope::ui::scenario::{MAX_FRAGMENT, MAX_RANKS, Theme, same_target};

#[test]
fn links_with_bad_numbers_of_ranks() {
    let range = [1, MAX_RANKS as u64];
    for (value, used) in
        [("0", 1), ("17", 16), ("4096", 16), ("-3", 1), ("99999999999999999999", 16)]
    {
        let (fragment, expected) =
            (format!("#/allreduce?n={value}"), format!("/allreduce?n={used}"));
        opens(&fragment, &expected, &[out_of_range("n", value, range, used)], &[value, "1", "16"]);
    }
    for value in ["abc", "", "2.5", "1e1", "４", "0x4", "4 4"] {
        let fragment = format!("/allreduce?op=max&n={value}");
        opens(&fragment, "/allreduce?op=max", &[not_whole("n", value, 4)], &["4"]);
    }
    assert_says(&not_whole("n", "abc", 4), &["“abc”"]);
    opens("/allreduce?n=1", "/allreduce?n=1", &[], &[]);
    opens("/allreduce?n=+004", "/allreduce", &[], &[]);
}

#[test]
fn links_with_bad_choices() {
    let algorithm = |value: &str, allowed: &[&'static str], used| Notice::NotOneOf {
        field: "algo",
        value: value.into(),
        allowed: allowed.to_vec(),
        used,
    };
    let serving: Vec<_> = algorithm::serving(Verb::AllReduce).map(|a| a.name).collect();
    let halving = algorithm("halving", &serving, "ring");
    opens(
        "/allreduce?algo=halving&n=8",
        "/allreduce?n=8",
        &[halving],
        &["halving", "direct", "ring"],
    );
    let refusal = Refusal::Verb { algorithm: "pair", verb: Verb::AllReduce };
    let refused = Notice::Refused { refusal, used: "ring".into() };
    opens("/allreduce?algo=pair", "/allreduce", &[refused], &["AllReduce"]);
    let two = Notice::Refused { refusal: needs_two(), used: "2".into() };
    opens("/sendrecv?n=1", "/sendrecv?n=2", &[two], &["2"]);
    // A switch can be looked at like a rank, where there is one.
    opens("/allreduce?algo=nvls&rank=4", "/allreduce?algo=nvls&rank=4", &[], &[]);
    let rank = out_of_range("rank", "5", [0, 4], 4);
    opens("/allreduce?algo=nvls&rank=5", "/allreduce?algo=nvls&rank=4", &[rank], &["5"]);
    let rank = out_of_range("rank", "4", [0, 3], 3);
    opens("/allreduce?rank=4", "/allreduce?rank=3", &[rank], &["4"]);
    let alone = Refusal::Unmet { algorithm: "nvls", rule: Rule::TwoRanks, ranks: 1, per_node: 1 };
    let ring = Notice::Refused { refusal: alone, used: "ring".into() };
    let (_, scenario, found) = parse("/allreduce?n=1&algo=nvls");
    assert_eq!((scenario.algorithm, found), ("ring", vec![ring]));
    let segments = out_of_range("segments", "9", [1, 8], 8);
    opens("/allgather?segments=9", "/allgather?segments=8", &[segments], &["9"]);
    let refusal = Refusal::InPlace(Verb::AllToAll);
    let out = Notice::Refused { refusal, used: "out".into() };
    opens("/alltoall?place=in&n=3", "/alltoall?n=3", &[out], &["AllToAll"]);
    let no_root = Notice::NoRoot { verb: Verb::AllReduce, value: "2".into() };
    opens("/allreduce?root=2", "/allreduce", &[no_root], &["AllReduce", "“2”"]);
    opens(
        "/reduce?root=4",
        "/reduce?root=3",
        &[out_of_range("root", "4", [0, 3], 3)],
        &["“4”", "3"],
    );
    let mean = Notice::MeanOfIntegers { used: "mean" };
    opens("/allreduce?type=i32&op=mean-pre", "/allreduce?op=mean&type=i32", &[mean], &["mean"]);
    for (field, used) in [
        ("op", "sum"),
        ("type", "f32"),
        ("place", "out"),
        ("via", "shared"),
        ("clock", "rounds"),
        ("links", TOPOLOGIES[0].name),
        ("speed", "1"),
        ("lang", "auto"),
        ("theme", "auto"),
    ] {
        for value in ["SUMS", "", "javascript:alert(1)", "NaN", "1e400", "<b>"] {
            let (_, scenario, found) = parse(&format!("/allreduce?{field}={value}"));
            assert_eq!(scenario, Scenario::default());
            let [Notice::NotOneOf { field: of, value: named, allowed, used: kept }] = &found[..]
            else {
                panic!("{field}={value}: {found:?}");
            };
            assert_eq!((*of, named.as_str(), *kept), (field, value, used));
            assert!(allowed.contains(&used));
            assert_says(&found[0], &[value, used, allowed[0]]);
        }
    }
}

#[test]
fn broken_and_hostile_links() {
    let unknown = |name: &str, more| Notice::UnknownField { name: name.into(), more };
    let page = |name: &str| Notice::UnknownPage { name: name.into() };
    for (fragment, expected, notices) in [
        ("", "/allreduce", vec![]),
        ("#", "/allreduce", vec![]),
        ("#/", "/allreduce", vec![]),
        ("?", "/allreduce", vec![]),
        ("#/?n=2", "/allreduce?n=2", vec![]),
        ("allreduce/", "/allreduce", vec![]),
        ("#/allreduce?", "/allreduce", vec![]),
        ("#/allreduce?&&=&", "/allreduce", vec![unknown("", 0)]),
        ("#/allreduce?n", "/allreduce", vec![not_whole("n", "", 4)]),
        ("#/allreduce?n=3&n=4&n=5", "/allreduce?n=3", vec![Notice::Twice { field: "n" }]),
        ("#/allreduce?M=3&x=1&y=2", "/allreduce", vec![unknown("M", 2)]),
        ("#/allreduce?N=3&n=4", "/allreduce?n=3", vec![Notice::Twice { field: "n" }]),
        ("#/allsum?n=8", "/allreduce?n=8", vec![page("allsum")]),
        ("#javascript:alert(1)", "/allreduce", vec![page("javascript:alert(1)")]),
        ("#/../../etc/passwd", "/allreduce", vec![page("../../etc/passwd")]),
        ("#/allreduce?n=%", "/allreduce", vec![not_whole("n", "%", 4)]),
        ("#/allreduce?n=%zz", "/allreduce", vec![not_whole("n", "%zz", 4)]),
        ("#/allreduce?n=%ff%fe", "/allreduce", vec![not_whole("n", "\u{fffd}\u{fffd}", 4)]),
        ("#/allreduce?n=%00", "/allreduce", vec![not_whole("n", "\u{fffd}", 4)]),
        ("#/allreduce?n=%34", "/allreduce", vec![]),
        ("#/allreduce?n=\u{202e}5", "/allreduce", vec![not_whole("n", "\u{fffd}5", 4)]),
        ("#/allreduce?n=שלוש", "/allreduce", vec![not_whole("n", "שלוש", 4)]),
        ("#/allreduce?n=🦀", "/allreduce", vec![not_whole("n", "🦀", 4)]),
        ("#/allreduce?<img src=x>", "/allreduce", vec![unknown("<img src", 0)]),
    ] {
        opens(fragment, expected, &notices, &[]);
    }
    assert_says(&page("allsum"), &["“allsum”", "AllReduce"]);
    assert_says(&unknown("M", 2), &["“M”", "3"]);
    assert_says(&Notice::Twice { field: "n" }, &[]);
    // A value that runs from right to left cannot turn the sentence round it.
    assert_says(&not_whole("n", "שלוש", 4), &["“\u{2068}שלוש\u{2069}”"]);

    let huge = format!("#/broadcast?data={}", "9,".repeat(100_000));
    let too_long = Notice::TooLong { field: "link", found: huge.len() - 1, most: MAX_FRAGMENT };
    opens(&huge, "/allreduce", &[too_long], &["200016", "65536"]);
    let fields = "&a=1".repeat(8000);
    opens(&format!("/allreduce?n=2{fields}"), "/allreduce?n=2", &[unknown("a", 7999)], &["8000"]);
    assert_eq!(parse("#/reference").0, Page::Reference);
}

#[test]
fn names_are_read_however_they_are_spelled() {
    for (fragment, expected) in [
        ("#/AllReduce?algo=Ring", "/allreduce"),
        ("#/ALLGATHER?Algo=DIRECT&N=3", "/allgather?algo=direct&n=3"),
        ("#/SendRecv?algo=Pair", "/sendrecv"),
        ("#/allreduce?op=Mean-Pre&place=IN", "/allreduce?op=mean-pre&place=in"),
        ("#/allreduce?type=I32&clock=Modelled", "/allreduce?type=i32&clock=modelled"),
        ("#/allreduce?links=IB-100&lang=ZH", "/allreduce?links=ib-100&lang=zh"),
        ("#/allreduce?lang=zh-Hans-CN", "/allreduce?lang=zh"),
        ("#/allreduce?lang=en_GB", "/allreduce?lang=en"),
        ("#/allreduce?theme=Dark&loop=OFF", "/allreduce?theme=dark"),
        ("#/allgather?shape=2X4", "/allgather?shape=2x4"),
    ] {
        opens(fragment, expected, &[], &[]);
    }
    assert_eq!(parse("#/Reference?Lang=zh").0, Page::Reference);
    // A verb or an algorithm that is refused is named as it is written everywhere else.
    let refusal = Refusal::Verb { algorithm: "pair", verb: Verb::AllReduce };
    let refused = Notice::Refused { refusal, used: "ring".into() };
    opens("/AllReduce?algo=PAIR", "/allreduce", &[refused], &["AllReduce"]);
}

#[test]
fn the_reference_page_names_what_is_shown() {
    let after = |fragment| {
        parse(fragment).1.shown_in(Lang::Zh, Theme::Light).page_fragment(Page::Reference)
    };
    assert_eq!(after("#/reference?lang=en&theme=dark"), "/reference?lang=zh&theme=light");
    assert_eq!(after("#/reference?lang=en"), "/reference?lang=zh");
    assert_eq!(after("#/reference"), "/reference");
}

#[test]
fn only_another_verb_or_page_is_another_place() {
    for (a, b) in [
        ("", "/allreduce"),
        ("/AllReduce?n=3", "/allreduce?algo=tree"),
        ("/nowhere", "/allreduce"),
        ("#/allreduce/", "/allreduce"),
        ("/Reference", "/reference?lang=zh"),
    ] {
        assert!(same_target(a, b), "{a} {b}");
    }
    for (a, b) in [("/allreduce", "/allgather"), ("/reference", "/allreduce"), ("", "/shift")] {
        assert!(!same_target(a, b), "{a} {b}");
    }
}
