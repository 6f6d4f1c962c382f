//! Links with numbers, sizes, shapes, steps and loops that break a rule.

use super::*;
use ringscope::engine::reduce::Dtype;
use ringscope::ui::scenario::MAX_STEP;

#[test]
fn links_with_bad_data() {
    let (f32, i32) = (Dtype::F32, Dtype::I32);
    let not_in_type = |value: &str, dtype, nearest: Option<&str>| Notice::NotInType {
        rank: 0,
        value: value.into(),
        dtype,
        nearest: nearest.map(str::to_string),
    };
    let word = |value: &str| Notice::NotANumber { rank: 0, value: value.into() };
    let count = |found, expected| Notice::WrongCount { rank: 0, found, expected };
    let largest = "3.4028234663852886e38";
    for (base, data, notice, parts) in [
        ("/allreduce?", "NaN,1,2,3", not_in_type("NaN", f32, None), vec!["NaN", "f32", "3.4e38"]),
        ("/allreduce?", "1,inf,2,3", not_in_type("inf", f32, Some(largest)), vec!["inf", largest]),
        ("/allreduce?", "1e400,1,2,3", not_in_type("1e400", f32, Some(largest)), vec!["1e400"]),
        ("/allreduce?", "1e-400,1,2,3", not_in_type("1e-400", f32, Some("0")), vec!["1e-400", "0"]),
        (
            "/allreduce?",
            "-1e39,1,2,3",
            not_in_type("-1e39", f32, Some(&format!("-{largest}"))),
            vec![],
        ),
        ("/allreduce?", "one,2,3,4", word("one"), vec!["“one”"]),
        ("/allreduce?", "1;DROP TABLE,2,3,4", count(1, 4), vec!["1", "4"]),
        ("/allreduce?", "1,2,3,4,5", count(5, 4), vec!["5", "4"]),
        ("/allreduce?", "%20", count(0, 4), vec!["0", "4"]),
        ("/barrier?", "1", count(1, 0), vec!["1"]),
        ("/allreduce?type=i32&", "1,2.5,3,4", not_in_type("2.5", i32, Some("3")), vec!["2.5", "3"]),
        (
            "/allreduce?type=i32&",
            "3e9,1,2,3",
            not_in_type("3e9", i32, Some("2147483647")),
            vec!["3e9", "i32", "2147483647", "-2147483648"],
        ),
    ] {
        let (_, scenario, found) = parse(&format!("{base}data={data}"));
        assert_eq!(found.first(), Some(&notice), "{data}");
        assert_eq!(scenario, parse(base).1, "{data}");
        found.iter().for_each(|notice| assert_says(notice, &[]));
        assert_says(&notice, &parts);
    }
    let rows = Notice::TooManyRows { found: 3, most: 2 };
    opens(
        "/allreduce?n=2&data=7,8;9,10;11,12",
        "/allreduce?n=2&data=7,8;9,10",
        &[rows],
        &["3", "2"],
    );
    // Full-width commas and the typographic minus are how people write, too.
    opens("/allreduce?n=2&data=−7，8;9、1e1", "/allreduce?n=2&data=-7,8;9,10", &[], &[]);
}

#[test]
fn links_with_bad_sizes_and_shapes() {
    let (least, most) = (4, 64 << 20);
    let range = [least, most];
    let above = |value| out_of_range("size", value, range, most);
    opens("/allreduce?size=10GiB", "/allreduce?size=64MiB", &[above("10GiB")], &["10GiB", "64"]);
    let huge = "9".repeat(60);
    let cut = format!("{}…", "9".repeat(40));
    let fragment = format!("/allreduce?size={huge}");
    opens(&fragment, "/allreduce?size=64MiB", &[above(&cut)], &[&cut[..40]]);
    let below = out_of_range("size", "0", range, least);
    opens("/allreduce?size=0", "/allreduce?size=4", &[below], &["“0”"]);
    let odd = Notice::NotWholeElements { value: "7".into(), element: 4, used: 4 };
    opens("/allreduce?size=7", "/allreduce?size=4", &[odd], &["“7”", "4"]);
    for value in ["1e400", "-4", "64MB", "4.5MiB", ""] {
        let notice = Notice::NotASize { value: value.into() };
        let fragment = format!("/allreduce?size={value}&len=8");
        opens(&fragment, "/allreduce?len=8", &[notice], &["64KiB"]);
    }
    let with = |field, with| Notice::Conflict { field, with };
    opens(
        "/allgather?size=1KiB&shape=2x4&dim=1&data=1",
        "/allgather?size=1KiB",
        &[with("shape", "size"), with("dim", "size"), with("data", "size")],
        &[],
    );
    opens("/allgather?shape=2x4&len=6", "/allgather?shape=2x4", &[with("len", "shape")], &[]);
    opens("/allreduce?size=64%20KiB", "/allreduce?size=64KiB", &[], &[]);
    for value in
        ["8x9", "0x4", "2x", "x", "2x2x2x2x2", "2,4", "-2x4", "99999999999999999999x1", "2x4\u{0}"]
    {
        let (_, scenario, found) = parse(&format!("/allgather?shape={value}"));
        assert_eq!(scenario.fragment(), "/allgather");
        assert!(matches!(&found[..], [Notice::BadShape { elements: 4, .. }]), "{value}: {found:?}");
        assert_says(&found[0], &["2x4", "64"]);
    }
    let dim = out_of_range("dim", "2", [0, 1], 1);
    opens("/allgather?shape=2x4&dim=2", "/allgather?shape=2x4&dim=1", &[dim], &["“2”", "1"]);
    let dim = out_of_range("dim", "1", [0, 0], 0);
    opens("/allgather?dim=1", "/allgather", &[dim], &["“1”", "0"]);
    let len = out_of_range("len", "65", [0, 64], 64);
    opens("/allreduce?len=65", "/allreduce?len=64", &[len], &["65", "64"]);
    opens("/allreduce?len=0", "/allreduce?len=0", &[], &[]);
    opens("/allreduce?shape=8", "/allreduce?len=8", &[], &[]);
}

#[test]
fn links_with_bad_steps_and_loops() {
    let step = out_of_range("step", "10000", [0, MAX_STEP as u64], MAX_STEP as u64);
    opens("/allreduce?step=10000", "/allreduce?step=9999", &[step], &["10000", "9999"]);
    for value in ["3-3", "5-2", "2", "-2", "a-b", "1-2-3", "1-99999999999999999999", ""] {
        let notice = Notice::BadLoop { value: value.into() };
        opens(&format!("/allreduce?loop={value}&rank=1"), "/allreduce?rank=1", &[notice], &["2-5"]);
    }
    opens(
        "/allreduce?rank=4",
        "/allreduce?rank=3",
        &[out_of_range("rank", "4", [0, 3], 3)],
        &["4", "3"],
    );

    let far = parse("/allreduce?step=8&loop=2-9").1;
    let (near, found) = far.within(6);
    assert_eq!(near.fragment(), "/allreduce?step=6&loop=2-6");
    assert_eq!(found, [out_of_range("step", "8", [0, 6], 6), out_of_range("loop", "9", [3, 6], 6)]);
    let (near, found) = far.within(2);
    assert_eq!(near.fragment(), "/allreduce?step=2");
    assert_eq!(found[1], Notice::BadLoop { value: "2-9".into() });
    assert_eq!(far.within(9), (far.clone(), Vec::new()));
}
