//! Fields changed by hand: what breaks a rule leaves the field as it was.

use super::*;
use ringscope::engine::algorithm::Refusal;
use ringscope::engine::collective::Verb;
use ringscope::engine::reduce::{Dtype, ReduceOp};
use ringscope::ui::scenario::MAX_PIECES;

/// Edits `field` of `before` by hand: the result must be `after`, with these notices.
fn edits(before: &str, field: &'static str, raw: &str, after: &str, expected: &[Notice]) {
    let scenario = parse(before).1;
    let (next, found) = scenario.edit(field, raw);
    assert_eq!(next.fragment(), after, "{field}={raw:.80}");
    assert_eq!(found, expected, "{field}={raw:.80}");
    assert!(next.prepare().is_ok());
    assert_eq!(parse(after).1, next, "more has changed than the link says");
    found.iter().for_each(|notice| assert_says(notice, &[]));
}

#[test]
fn a_bad_edit_keeps_the_old_value() {
    let before = "/reduce?n=6&root=5&op=max&data=1,2,3,4,5,6&step=2&loop=1-3";
    let range = |field, value, range, used| [out_of_range(field, value, range, used)];
    edits(before, "n", "17", before, &range("n", "17", [1, 16], 6));
    edits(before, "n", "0", before, &range("n", "0", [1, 16], 6));
    edits(before, "n", "−3", before, &range("n", "−3", [1, 16], 6));
    edits(before, "n", "abc", before, &[not_whole("n", "abc", 6)]);
    edits(before, "root", "6", before, &range("root", "6", [0, 5], 5));
    edits(before, "chunks", "17", before, &range("chunks", "17", [1, MAX_PIECES as u64], 1));
    edits(before, "len", "65", before, &range("len", "65", [0, 64], 6));
    edits(before, "size", "10GiB", before, &range("size", "10GiB", [4, 256 << 20], 24));
    edits(before, "shape", "8x9", before, &[Notice::BadShape { value: "8x9".into(), elements: 6 }]);
    edits(before, "loop", "3-2", before, &[Notice::BadLoop { value: "3-2".into(), steps: 5 }]);
    edits(before, "loop", "2-6", before, &[Notice::BadLoop { value: "2-6".into(), steps: 5 }]);
    edits(before, "step", "6", before, &range("step", "6", [0, 5], 2));
    edits(
        before,
        "nonsense",
        "1",
        before,
        &[Notice::UnknownField { name: "nonsense".into(), more: 0 }],
    );
    let refusal = Refusal::Verb { algorithm: "direct", verb: Verb::Reduce };
    let refused = Notice::Refused { refusal, used: "ring".into() };
    edits(before, "algo", "direct", before, &[refused]);
    let two = Notice::Refused { refusal: needs_two(), used: "4".into() };
    edits("/sendrecv", "n", "1", "/sendrecv", &[two]);
    let seeded = "/allreduce?size=1MiB";
    edits(
        seeded,
        "size",
        "6",
        seeded,
        &[Notice::NotWholeElements { value: "6".into(), element: 4, used: 1 << 20 }],
    );
    edits(seeded, "len", "65", seeded, &range("len", "65", [0, 64], 1 << 18));
    let huge = "9".repeat(200_000);
    let cut = format!("{}…", "9".repeat(40));
    edits(before, "n", &huge, before, &range("n", &cut, [1, 16], 6));
}

#[test]
fn a_good_edit_changes_one_field_and_keeps_the_rest() {
    let before = "/reduce?n=6&root=5&op=max&data=1,2,3,4,5,6&step=2&loop=1-3";
    let root = [out_of_range("root", "5", [0, 2], 2)];
    edits(before, "n", "3", "/reduce?n=3&root=2&op=max&data=1,2,3", &root);
    edits(before, "n", "6", before, &[]);
    let after = "/reduce?algo=tree&n=6&root=5&op=max&data=1,2,3,4,5,6";
    edits(before, "algo", "tree", after, &[]);
    edits(before, "loop", "off", "/reduce?n=6&root=5&op=max&data=1,2,3,4,5,6&step=2", &[]);
    edits(before, "verb", "allreduce", "/allreduce?n=6&op=max&data=1,2,3,4,5,6", &[]);
    // What a rank no longer holds is forgotten, so that the link still says everything.
    edits("/allreduce?data=9,8,7,6;5,4,3,2", "verb", "allgather", "/allgather?data=9;4", &[]);
    edits("/broadcast?data=9,8,7,6", "root", "1", "/broadcast?root=1", &[]);
    edits("/allgather?shape=2x4&dim=1", "shape", "4×2", "/allgather?shape=4x2&dim=1", &[]);
    edits("/allgather?shape=2x4&dim=1", "len", "6", "/allgather?len=6", &[]);
    edits("/allreduce?size=1MiB", "len", "4", "/allreduce", &[]);
    edits("/allreduce?theme=dark", "theme", "auto", "/allreduce", &[]);
    let out = Notice::Refused { refusal: Refusal::InPlace(Verb::AllToAll), used: "out".into() };
    edits("/allreduce?place=in", "verb", "alltoall", "/alltoall", &[out]);
    let two = Notice::Refused { refusal: needs_two(), used: "2".into() };
    edits("/allreduce?n=1", "verb", "sendrecv", "/sendrecv?n=2", &[two]);
    // A list of one number per rank follows the number of ranks; any other length stays.
    assert_eq!(parse("/allreduce").1.with_ranks(6).elements(), 6);
    assert_eq!(parse("/allreduce?len=5").1.with_ranks(6).elements(), 5);
}

#[test]
fn changing_the_type_says_which_numbers_it_rounds() {
    let rounded = |value: &str, used: &str, dtype, more| Notice::Rounded {
        rank: 0,
        value: value.into(),
        used: used.into(),
        dtype,
        more,
    };
    let before = "/allreduce?n=2&data=1.5,-0.25;3e9,1";
    let after = "/allreduce?n=2&type=i32&data=2,0;2147483647,1";
    let notice = rounded("1.5", "2", Dtype::I32, 2);
    edits(before, "type", "i32", after, std::slice::from_ref(&notice));
    assert_says(&notice, &["“1.5”", "i32", "2147483647", "2"]);
    // A float type holds what it can of a number: what was typed stays, if it is in the range.
    let before = "/allreduce?n=1&type=i32&data=16777217";
    edits(before, "type", "f32", "/allreduce?n=1&data=16777217", &[]);
    let before = "/allreduce?n=1&len=3&data=0.1,1e5,1e-9";
    let after = "/allreduce?n=1&type=f16&len=3&data=0.1,65504,0";
    let notice = rounded("100000", "65504", Dtype::F16, 1);
    edits(before, "type", "f16", after, std::slice::from_ref(&notice));
    assert_says(&notice, &["“100000”", "f16", "6e-8", "65504"]);
    // A buffer is a whole number of elements.
    let odd = |value: &str, element, used| Notice::NotWholeElements {
        value: value.into(),
        element,
        used,
    };
    let before = "/allreduce?type=u8&size=13";
    edits(before, "type", "f64", "/allreduce?type=f64&size=8", &[odd("13", 8, 8)]);
    let before = "/allreduce?type=u8&size=3";
    edits(before, "type", "f32", "/allreduce?size=4", &[odd("3", 4, 4)]);
    edits(
        "/allreduce?op=mean-pre",
        "type",
        "i32",
        "/allreduce?op=mean&type=i32",
        &[Notice::MeanOfIntegers { used: "mean" }],
    );
    edits(
        "/allreduce?type=i32",
        "op",
        "mean-pre",
        "/allreduce?type=i32",
        &[Notice::MeanOfIntegers { used: "sum" }],
    );
}

#[test]
fn integers_have_no_nan() {
    let (value, used) = ("NaN".to_string(), "0".to_string());
    let rounded = Notice::Rounded { rank: 0, value, used, dtype: Dtype::I32, more: 0 };
    let floats = "/allreduce?n=2&data=NaN,8;9,10";
    edits(floats, "type", "bf16", "/allreduce?n=2&type=bf16&data=NaN,8;9,10", &[]);
    edits(floats, "type", "i32", "/allreduce?n=2&type=i32&data=0,8;9,10", &[rounded]);
}

#[test]
fn accumulating_in_f32_is_for_what_is_rounded_to_less() {
    let nothing = |op, dtype| [Notice::NothingToRound { op, dtype }];
    let small = "/allreduce?type=bf16&acc=f32";
    edits("/allreduce?type=bf16", "acc", "f32", small, &[]);
    edits(small, "acc", "type", "/allreduce?type=bf16", &[]);
    edits("/allreduce", "acc", "f32", "/allreduce", &nothing(ReduceOp::Sum, Dtype::F32));
    let max = "/allreduce?op=max&type=fp8-e4m3";
    edits(max, "acc", "f32", max, &nothing(ReduceOp::Max, Dtype::E4m3));
    assert_says(&nothing(ReduceOp::Max, Dtype::E4m3)[0], &["fp8-e4m3", "f32"]);
    // An owner can keep a sum where nobody else gets it before it is complete.
    let (direct, ring) = ("/allreduce?algo=direct&type=bf16", "/allreduce?type=bf16");
    let owner = "/allreduce?algo=direct&type=bf16&acc=owner";
    let travels = [Notice::SumsTravel { used: "type" }];
    edits(direct, "acc", "owner", owner, &[]);
    edits(ring, "acc", "owner", ring, &travels);
    edits(small, "acc", "owner", small, &[Notice::SumsTravel { used: "f32" }]);
    edits(owner, "algo", "ring", ring, &travels);
    edits(owner, "op", "mean", "/allreduce?algo=direct&op=mean&type=bf16&acc=owner", &[]);
    edits(owner, "op", "max", "/allreduce?algo=direct&op=max&type=bf16", &[]);
    edits(owner, "n", "9", "/allreduce?algo=direct&n=9&type=bf16&acc=owner", &[]);
    assert_says(&travels[0], &["f32", "type"]);
    // With another type or operator, the choice goes.
    edits(small, "type", "i8", "/allreduce?type=i8", &[]);
    edits(small, "op", "min", "/allreduce?op=min&type=bf16", &[]);
    edits(small, "verb", "broadcast", "/broadcast?type=bf16&acc=f32", &[]);
}

#[test]
fn rows_typed_by_hand() {
    let scenario = parse("/allgather?n=2&len=4").1;
    let row = |rank, raw: &str| scenario.edit_row(rank, raw);
    assert_eq!(row(1, "7 8").0.fragment(), "/allgather?n=2&len=4&data=;7,8");
    assert_eq!(row(1, " 7,\t8\n").1, []);
    let count = |rank, found, expected| [Notice::WrongCount { rank, found, expected }];
    assert_eq!(row(1, ""), (scenario.clone(), count(1, 0, 2).into()));
    assert_eq!(row(1, "1 2 3"), (scenario.clone(), count(1, 3, 2).into()));
    assert_eq!(row(9, "1"), (scenario.clone(), count(9, 1, 0).into()));
    let long = "9".repeat(200_000);
    let too_long = Notice::TooLong { field: "data", found: 200_000, most: 8192 };
    assert_says(&too_long, &["200000", "8192"]);
    assert_eq!(row(0, &long), (scenario.clone(), vec![too_long]));
    let seeded = parse("/allreduce?size=1MiB").1;
    let conflict = Notice::Conflict { field: "data", with: "size" };
    assert_eq!(seeded.edit_row(0, "1"), (seeded.clone(), vec![conflict]));
    assert_eq!(parse("/broadcast").1.edit_row(1, "1").1, count(1, 1, 0));
}
