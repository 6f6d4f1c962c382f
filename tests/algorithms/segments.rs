//! Segments: what is cut into messages that follow each other is still right, and a pipeline pays
//! for each only once.

use crate::common::grid;
use ringscope::engine::algorithm::{Request, find};
use ringscope::engine::check::check;
use ringscope::engine::collective::Verb;
use ringscope::engine::cost::rounds;

#[test]
fn every_algorithm_can_be_cut_and_every_message_is() {
    let mut proved = 0;
    for mut case in grid((1..=5).chain([8, 9]), &[1, 2]) {
        let whole = case.build();
        for segments in [2, 3] {
            case.request.segments = segments;
            let cut = case.build();
            check(&cut).unwrap_or_else(|fault| panic!("{case}: {fault}\n{cut}"));
            let (c, before) = (cut.collective, whole.collective);
            let messages = whole.messages().len();
            if case.request.verb == Verb::Barrier {
                // A token is not to be cut.
                assert_eq!((c, cut.messages().len()), (before, messages), "{case}");
                continue;
            }
            assert_eq!((c.chunks(), c.segments), (before.chunks() * segments, segments), "{case}");
            assert_eq!(cut.messages().len(), messages * segments, "{case}");
            let [sent, sent_whole] = [&cut, &whole].map(|s| rounds::in_chunks(s).sent);
            let in_segments: Vec<usize> = sent_whole.iter().map(|sent| sent * segments).collect();
            assert_eq!(sent, in_segments, "{case}: nobody sends more");
            proved += 1;
        }
    }
    println!("{proved} schedules in segments proved");
    assert!(proved > 2000);
}

/// Rounds of a pipeline: the way of one segment, and one round more for each that follows.
#[test]
fn pipelines_take_a_round_more_for_every_further_segment() {
    let rounds = |algorithm: &str, request: &Request| {
        let found = find(algorithm).expect("it is in the registry");
        rounds::in_chunks(&found.build(request).expect("it is not refused")).rounds
    };
    for n in 2..=9usize {
        let (far, depth) = (n - 1, n.next_power_of_two().ilog2() as usize);
        for (chunks, segments) in [(1, 1), (1, 2), (1, 5), (3, 2), (4, 3)] {
            let pieces = chunks * segments;
            let all = [
                ("chain", Verb::Broadcast, far + pieces - 1),
                ("chain", Verb::Reduce, far + pieces - 1),
                ("chain", Verb::AllReduce, 2 * far + pieces - 1),
                ("ring", Verb::Broadcast, far + pieces - 1),
                // Nobody waits in a ring: every round of every segment is one of its own.
                ("ring", Verb::AllReduce, 2 * far * pieces),
                ("ring", Verb::AllGather, far * pieces),
                ("pair", Verb::SendRecv, pieces),
            ];
            for (algorithm, verb, expected) in all {
                let request = Request { chunks, segments, ..Request::new(verb, n) };
                assert_eq!(rounds(algorithm, &request), expected, "{algorithm} {request}");
            }
            // The last of a few segments goes up before the block that it completes comes down.
            if segments <= n {
                for verb in [Verb::ReduceScatter, Verb::AllGather] {
                    let switch = Request { chunks, segments, ..Request::new(verb, n) };
                    assert_eq!(rounds("nvls", &switch), 2 * segments, "nvls {switch}");
                }
            }
            // Down a tree the root sends every segment to each of its children in turn.
            let tree = Request { chunks, segments, ..Request::new(Verb::Broadcast, n) };
            assert_eq!(rounds("tree", &tree), depth * pieces, "tree {tree}");
        }
    }
}

#[test]
fn segments_do_what_chunks_do_where_chunks_are_not_cut_into_messages() {
    for (algorithm, verb) in [("bruck", Verb::AllGather), ("recursive-doubling", Verb::AllReduce)] {
        let found = find(algorithm).expect("it is in the registry");
        let messages = |chunks, segments| {
            let request = Request { chunks, segments, ..Request::new(verb, 8) };
            found.build(&request).expect("it is not refused").messages().len()
        };
        assert_eq!(messages(3, 1), messages(1, 1), "{algorithm}");
        assert_eq!(messages(1, 3), 3 * messages(1, 1), "{algorithm}");
    }
}
