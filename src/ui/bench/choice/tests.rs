//! Addresses of the bench, and what they ask for.

use super::*;
use crate::ui::scenario::parse;

fn read(query: &str) -> (Choice, Vec<Notice>) {
    Choice::read(&format!("/bench?{query}"))
}

#[test]
fn addresses_read_back_as_they_are_written() {
    let every = "/bench?verb=allreduce,allgather&algo=ring,direct&n=2,8&type=f32,f16\
                 &via=shared,ports&place=out,in&op=max&from=4KiB&to=256MiB&links=eth-25";
    for fragment in ["/bench", "/bench?n=2", "/bench?to=16MiB", every] {
        let (choice, notices) = Choice::read(fragment);
        assert_eq!(notices, [], "{fragment}");
        assert_eq!(choice.fragment(&[]), fragment);
    }
    let reader = [("lang", "zh".to_string())];
    assert_eq!(Choice::default().fragment(&reader), "/bench?lang=zh");
}

#[test]
fn what_is_wrong_is_said_and_the_rest_is_kept() {
    let (choice, notices) = read("verb=allreduce,dance&n=4,99,x&type=f33&from=3KiB&y=1&lang=zh");
    assert_eq!(choice.verbs, [Verb::AllReduce]);
    assert_eq!(choice.ranks, [4, 16]);
    assert_eq!(choice.dtypes, [Dtype::F32]);
    assert_eq!(choice.from, 0);
    assert_eq!(notices.len(), 6, "{notices:?}");
    let (choice, notices) = read("from=1MiB&to=4KiB&n=2&n=3");
    assert_eq!((choice.from, choice.to), (10, 10));
    assert_eq!(choice.ranks, [2]);
    assert_eq!(notices.len(), 2, "{notices:?}");
}

#[test]
fn combinations_that_cannot_be_had_are_left_out_and_say_why() {
    let (choice, _) = read("verb=allreduce,allgather&algo=ring,rabenseifner&n=4&to=4KiB");
    let (curves, left_out) = choice.curves();
    let named: Vec<_> = curves.iter().map(|s| (s.verb, s.algorithm)).collect();
    let (reduce, gather) = (Verb::AllReduce, Verb::AllGather);
    assert_eq!(named, [(reduce, "ring"), (reduce, "rabenseifner"), (gather, "ring")]);
    assert_eq!(left_out.len(), 1);
    assert!(matches!(left_out[0].refusal, Some(Refusal::Verb { .. })));
    assert_eq!(choice.sizes().collect::<Vec<_>>(), [1024, 2048, 4096]);
    assert!(curves.iter().all(|s| s.data == Data::Bytes(1024) && s.prepare().is_ok()));
}

#[test]
fn what_cannot_run_in_place_is_left_out_there() {
    let (choice, _) = read("verb=allreduce,alltoall&algo=pairwise,ring&place=out,in");
    let (curves, left_out) = choice.curves();
    let placed: Vec<_> = curves.iter().map(|s| (s.algorithm, s.in_place)).collect();
    assert_eq!(placed, [("ring", false), ("ring", true), ("pairwise", false)]);
    let refused = |left: &LeftOut| left.refusal == Some(Refusal::InPlace(Verb::AllToAll));
    assert_eq!(left_out.iter().filter(|left| refused(left)).count(), 1, "{left_out:?}");
}

#[test]
fn what_was_measured_at_any_size_reads_back_as_a_scenario() {
    let (curves, _) = Choice::default().curves();
    for (place, name) in SIZES.iter().enumerate() {
        let scenario = at(&curves[0], size(place));
        let (_, read, notices) = parse(&scenario.fragment());
        assert_eq!((read, notices), (scenario, Vec::new()), "{name}");
    }
}

#[test]
fn an_operator_must_be_for_the_type() {
    let (choice, _) = read("type=f32,i32&op=mean-pre&algo=ring");
    let (curves, left_out) = choice.curves();
    assert_eq!((curves.len(), left_out.len()), (1, 1), "{choice:?}");
    assert_eq!(left_out[0].scenario.dtype, Dtype::I32);
    assert_eq!(left_out[0].refusal, None);
}
