//! Links with numbers, sizes, shapes, steps and loops that break a rule.

use super::*;
use ringscope::engine::reduce::Dtype;

#[test]
fn links_with_bad_data() {
    let (f32, i32) = (Dtype::F32, Dtype::I32);
    let not_in_type = |value: &str, dtype, nearest: &str| Notice::NotInType {
        rank: 0,
        value: value.into(),
        dtype,
        nearest: nearest.into(),
    };
    let word = |value: &str| Notice::NotANumber { rank: 0, value: value.into() };
    let count = |found, expected| Notice::WrongCount { rank: 0, found, expected };
    let largest = "3.4028234663852886e38";
    for (base, data, notice, parts) in [
        ("/allreduce?type=i32&", "NaN,1,2,3", word("NaN"), vec!["“NaN”"]),
        ("/allreduce?", "1,inf,2,3", word("inf"), vec!["“inf”"]),
        ("/allreduce?", "1e400,1,2,3", not_in_type("1e400", f32, largest), vec!["f32", "3.4e38"]),
        ("/allreduce?", "1e-400,1,2,3", not_in_type("1e-400", f32, "0"), vec!["1e-400", "0"]),
        ("/allreduce?", "-1e39,1,2,3", not_in_type("-1e39", f32, &format!("-{largest}")), vec![]),
        ("/allreduce?", "one,2,3,4", word("one"), vec!["“one”"]),
        ("/allreduce?", "1;DROP TABLE,2,3,4", count(1, 4), vec!["1", "4"]),
        ("/allreduce?", "1,2,3,4,5", count(5, 4), vec!["5", "4"]),
        ("/allreduce?", "%20", count(0, 4), vec!["0", "4"]),
        ("/barrier?", "1", count(1, 0), vec!["1"]),
        ("/allreduce?type=i32&", "1,2.5,3,4", not_in_type("2.5", i32, "3"), vec!["2.5", "3"]),
        (
            "/allreduce?type=i32&",
            "3e9,1,2,3",
            not_in_type("3e9", i32, "2147483647"),
            vec!["3e9", "i32", "2147483647", "-2147483648"],
        ),
        (
            "/allreduce?type=u8&",
            "256,-1,0,255",
            not_in_type("256", Dtype::U8, "255"),
            vec!["256", "u8", "0", "255"],
        ),
        (
            "/allreduce?type=i64&",
            "9007199254740993,1,2,3",
            not_in_type("9007199254740993", Dtype::I64, "9007199254740991"),
            vec!["9007199254740993", "i64", "-9007199254740991"],
        ),
        (
            "/allreduce?type=fp8-e4m3&",
            "465,1,2,3",
            not_in_type("465", Dtype::E4m3, "448"),
            vec!["465", "fp8-e4m3", "448", "2e-3"],
        ),
        (
            "/allreduce?type=bf16&",
            "1e-41,1,2,3",
            not_in_type("1e-41", Dtype::Bf16, "0"),
            vec!["1e-41", "bf16", "9e-41"],
        ),
        (
            "/allreduce?type=f64&",
            "1e309,1,2,3",
            not_in_type("1e309", Dtype::F64, "1.7976931348623157e308"),
            vec!["1e309", "f64", "1.8e308", "5e-324"],
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
    // What a maximum does with NaN can be tried.
    opens(
        "/allreduce?n=2&op=max&data=nan,8;9,10",
        "/allreduce?n=2&op=max&data=NaN,8;9,10",
        &[],
        &[],
    );
    // Full-width commas and the typographic minus are how people write, too.
    opens("/allreduce?n=2&data=−7，8;9、1e1", "/allreduce?n=2&data=-7,8;9,10", &[], &[]);
}

#[test]
fn links_with_bad_sizes_and_shapes() {
    let (least, most) = (4, 256 << 20);
    let range = [least, most];
    let above = |value| out_of_range("size", value, range, most);
    opens("/allreduce?size=10GiB", "/allreduce?size=256MiB", &[above("10GiB")], &["10GiB", "256"]);
    let huge = "9".repeat(60);
    let cut = format!("{}…", "9".repeat(40));
    let fragment = format!("/allreduce?size={huge}");
    opens(&fragment, "/allreduce?size=256MiB", &[above(&cut)], &[&cut[..40]]);
    let below = out_of_range("size", "0", range, least);
    opens("/allreduce?size=0", "/allreduce?size=4", &[below], &["“0”"]);
    let odd = Notice::NotWholeElements { value: "7".into(), element: 4, used: 4 };
    opens("/allreduce?size=7", "/allreduce?size=4", &[odd], &["“7”", "4"]);
    opens("/allreduce?size=1TiB", "/allreduce?size=256MiB", &[above("1TiB")], &["“1TiB”", "256"]);
    opens(
        "/allreduce?size=270MB",
        "/allreduce?size=256MiB",
        &[above("270MB")],
        &["“270MB”", "256"],
    );
    opens(
        "/allreduce?type=f16&size=7",
        "/allreduce?type=f16&size=6",
        &[Notice::NotWholeElements { value: "7".into(), element: 2, used: 6 }],
        &["“7”", "2"],
    );
    let below = out_of_range("size", "4", [8, most], 8);
    opens("/allreduce?type=f64&size=4", "/allreduce?type=f64&size=8", &[below], &["“4”", "8"]);
    for value in ["1e400", "-4", "64M", "4.5MiB", ""] {
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
    opens("/allreduce?size=64kib", "/allreduce?size=64KiB", &[], &[]);
    opens("/allreduce?size=2MB", "/allreduce?size=2000000", &[], &[]);
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
    // A ring of four takes six steps, one of eight ranks fourteen; a single rank takes none.
    for (run, value, most, used, expected) in [
        ("/allreduce?", "7", 6, 6, "/allreduce?step=6"),
        ("/allreduce?", "-1", 6, 0, "/allreduce"),
        ("/allreduce?", "99999999999999999999", 6, 6, "/allreduce?step=6"),
        ("/allreduce?n=8&", "15", 14, 14, "/allreduce?n=8&step=14"),
        ("/allreduce?algo=direct&n=8&", "-1", 2, 0, "/allreduce?algo=direct&n=8"),
        ("/allreduce?n=1&", "1", 0, 0, "/allreduce?n=1"),
    ] {
        let notice = out_of_range("step", value, [0, most], used);
        opens(&format!("{run}step={value}"), expected, &[notice], &[value, &most.to_string()]);
    }
    opens("/allreduce?step=6&loop=1-1", "/allreduce?step=6&loop=1-1", &[], &[]);
    opens("/allreduce?loop=6-6", "/allreduce?loop=6-6", &[], &[]);
    for value in
        ["5-2", "0-3", "7-7", "7-9", "2", "-2", "a-b", "1-2-3", "1-99999999999999999999", ""]
    {
        let notice = Notice::BadLoop { value: value.into(), steps: 6 };
        let parts = ["2-5", "6"];
        opens(&format!("/allreduce?loop={value}&rank=1"), "/allreduce?rank=1", &[notice], &parts);
    }
    let none = Notice::BadLoop { value: "1-1".into(), steps: 0 };
    opens("/allreduce?n=1&loop=1-1", "/allreduce?n=1", &[none], &["0"]);
    let loop_end = |most| out_of_range("loop", "9", [2, most], most);
    opens("/allreduce?loop=2-9", "/allreduce?loop=2-6", &[loop_end(6)], &["“9”", "6"]);
    opens("/sendrecv?loop=1-9", "/sendrecv?loop=1-1", &[out_of_range("loop", "9", [1, 1], 1)], &[]);
    opens(
        "/allreduce?rank=4",
        "/allreduce?rank=3",
        &[out_of_range("rank", "4", [0, 3], 3)],
        &["4", "3"],
    );
}
