//! Every structure of the registry, on a desktop's stage and on a phone's.

use super::frame::LEVELS;
use super::*;
use crate::engine::algorithm::{ALL, Request};
use crate::engine::collective::Verb;
use crate::engine::replay::card_rows;
use crate::engine::schedule::Schedule;

const DESKTOP: (f64, f64) = (986.0, 350.0);
const PHONE: (f64, f64) = (358.0, 394.0);
const SMALL_PHONE: (f64, f64) = (328.0, 236.0);

fn cards(schedule: &Schedule, chunks: usize, numbers: usize) -> Cards {
    let c = &schedule.collective;
    Cards { count: schedule.programs.len(), rows: card_rows(c.verb), chunks, numbers }
}

/// Every schedule of the registry, by name, and its structure.
fn each(mut test: impl FnMut(&str, &Schedule, &Shape)) {
    for algorithm in &ALL {
        for &verb in algorithm.verbs {
            for n in 1..=16 {
                for request in algorithm.variations(verb, n) {
                    if let Ok(schedule) = algorithm.build(&request) {
                        let shape = shape(&schedule, request.ranks_per_node);
                        test(&format!("{} {request}", algorithm.name), &schedule, &shape);
                    }
                }
            }
        }
    }
}

/// A frame's box: left, top, right, bottom.
fn bounds(center: Point, frame: &Frame) -> [f64; 4] {
    let (x, y) = (frame.width / 2.0, frame.height / 2.0);
    [center.x - x, center.y - y, center.x + x, center.y + y]
}

fn overlap(a: [f64; 4], b: [f64; 4]) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

fn built(algorithm: &str, verb: Verb, n: usize) -> Schedule {
    let algorithm = crate::engine::algorithm::find(algorithm).expect("it is in the registry");
    algorithm.build(&Request::new(verb, n)).expect("it serves the verb")
}

fn laid_out(algorithm: &str, verb: Verb, n: usize, size: (f64, f64)) -> Layout {
    let schedule = built(algorithm, verb, n);
    layout(&shape(&schedule, 1), cards(&schedule, schedule.collective.chunks(), 1), size)
}

#[test]
fn no_card_touches_another_or_leaves_the_stage() {
    each(|what, schedule, shape| {
        for size in [DESKTOP, PHONE, SMALL_PHONE] {
            let own = schedule.collective.chunks();
            // The most there can be, for the most ranks there can be.
            let most = if schedule.collective.ranks == 16 { 256 } else { own };
            for chunks in [1, own, 16, most] {
                let found = layout(shape, cards(schedule, chunks, 4), size);
                let what = format!("{what} {size:?} x{chunks}");
                let mut boxes: Vec<_> =
                    found.centers.iter().map(|&c| bounds(c, &found.frame)).collect();
                boxes.extend(found.lens.map(|lens| bounds(lens.center, &lens.frame)));
                for (i, &a) in boxes.iter().enumerate() {
                    assert!(!boxes[..i].iter().any(|&b| overlap(a, b)), "{what}: {found:?}");
                    let inside = a[0] >= 0.0 && a[1] >= 0.0;
                    assert!(inside && a[2] <= found.width && a[3] <= found.height, "{what}: {a:?}");
                }
                assert!(found.width < 4.0 * size.0, "{what}: grew to {}", found.width);
            }
        }
    });
}

#[test]
fn cells_lie_in_their_card_and_apart() {
    each(|what, schedule, shape| {
        for size in [DESKTOP, PHONE] {
            let cards = cards(schedule, schedule.collective.chunks(), 3);
            let found = layout(shape, cards, size);
            let lens = found.lens.map(|lens| lens.frame);
            for frame in std::iter::once(found.frame).chain(lens) {
                let m = frame.measures;
                let mut seen: Vec<[f64; 4]> = Vec::new();
                for row in 0..cards.rows {
                    for column in 0..cards.chunks {
                        let Point { x, y } = frame.cell(row, column);
                        let cell = [x, y, x + m.cell_w, y + m.cell_h];
                        assert!(!seen.iter().any(|&other| overlap(cell, other)), "{what}");
                        assert!(x >= m.pad - 0.01 && y >= m.head - 0.01, "{what}: {cell:?}");
                        assert!(cell[2] <= frame.width - m.pad + 0.01, "{what}: {cell:?}");
                        assert!(cell[3] <= frame.height - frame.foot + 0.01, "{what}: {cell:?}");
                        seen.push(cell);
                    }
                }
            }
        }
    });
}

#[test]
fn whatever_is_too_small_to_be_read_is_magnified() {
    each(|what, schedule, shape| {
        for size in [DESKTOP, PHONE] {
            let cards = cards(schedule, schedule.collective.chunks(), 1);
            let found = layout(shape, cards, size);
            // Beside so many on a phone there is no room for a lens at all.
            let beyond = size == PHONE && cards.rows * cards.chunks > 48;
            if found.frame.measures.detail != Detail::Full && !beyond {
                let lens = found.lens.unwrap_or_else(|| panic!("{what} {size:?}: {found:?}"));
                assert!(lens.frame.measures.cell_h > found.frame.measures.cell_h, "{what}");
                // On a phone two rows of sixteen, or a tree of many, leave no room for names; nor
                // do two channels of two directions of many on a desktop.
                let most = if size == PHONE { 8 } else { 32 };
                let crowded = cards.rows * cards.chunks > most;
                let detail = lens.frame.measures.detail;
                assert!(crowded || detail == Detail::Full, "{what} {size:?}: {lens:?}");
            }
        }
    });
}

#[test]
fn few_cards_are_drawn_in_full_and_in_one_line() {
    for n in 2..=5 {
        let found = laid_out("ring", Verb::AllReduce, n, DESKTOP);
        let detail = found.frame.measures.detail;
        assert_eq!((detail, found.lens, found.frame.lines), (Detail::Full, None, 1), "{n}");
    }
    let phone = laid_out("ring", Verb::AllReduce, 16, PHONE);
    assert_eq!(phone.lens.map(|lens| lens.frame.measures.detail), Some(Detail::Full));
    let found = laid_out("ring", Verb::AllReduce, 4, DESKTOP);
    assert_eq!(found.frame.measures, LEVELS[0]);
    // Opposite cards mirror each other.
    let xs: Vec<f64> = found.centers.iter().map(|c| c.x).collect();
    assert!((xs[0] - xs[2]).abs() + (xs[1] + xs[3] - DESKTOP.0).abs() < 1e-6, "{xs:?}");
}

#[test]
fn a_packet_on_its_way_covers_neither_card_and_stays_on_the_stage() {
    each(|what, schedule, shape| {
        for size in [DESKTOP, PHONE] {
            let cards = cards(schedule, schedule.collective.chunks(), 1);
            let found = layout(shape, cards, size);
            for message in schedule.messages() {
                let ends = (message.from, message.to);
                for packet in [(12.0, 12.0), (43.0, 28.0), (81.0, 28.0)] {
                    let way = found.path(ends, 0, packet);
                    if !way.has_room() {
                        continue;
                    }
                    for t in [0.0, 0.1, 0.5, 0.9, 1.0] {
                        let at = found.inside(way.at(t), packet);
                        let (x, y) = (packet.0 / 2.0, packet.1 / 2.0);
                        let drawn = [at.x - x, at.y - y, at.x + x, at.y + y];
                        let inside = drawn[0] >= 0.0 && drawn[1] >= 0.0;
                        let inside = inside && drawn[2] <= found.width && drawn[3] <= found.height;
                        assert!(inside, "{what} {size:?} {ends:?} {packet:?} at {t}: {way:?}");
                        for rank in [ends.0, ends.1] {
                            let (center, frame) = found.body(rank, 0);
                            let covered = overlap(drawn, bounds(center, frame));
                            assert!(
                                !covered,
                                "{what} {size:?} {ends:?} {packet:?} at {t}: {way:?}"
                            );
                        }
                    }
                }
            }
        }
    });
}

#[test]
fn opposite_directions_take_different_ways() {
    let found = laid_out("direct", Verb::AllToAll, 4, DESKTOP);
    let packet = (81.0, 28.0);
    for (a, b) in [(0, 1), (0, 3), (1, 3)] {
        let (there, back) = (found.path((a, b), 0, packet), found.path((b, a), 0, packet));
        let (there, back) = (there.at(0.5), back.at(0.5));
        let apart = (there.x - back.x).abs() >= packet.0 || (there.y - back.y).abs() >= packet.1;
        assert!(apart, "{a} {b}: {there:?} {back:?}");
    }
    let ring = laid_out("ring", Verb::AllReduce, 2, DESKTOP);
    let (there, back) = (ring.path((0, 1), 0, packet), ring.path((1, 0), 0, packet));
    assert!(there.at(0.5).distance(back.at(0.5)) > 60.0);
}

#[test]
fn where_messages_cross_the_selected_rank_sends_from_the_lens() {
    let found = laid_out("direct", Verb::AllToAll, 16, DESKTOP);
    let lens = found.lens.expect("sixteen cards are small");
    for peer in 1..16 {
        let way = found.path((0, peer), 0, (0.0, 0.0));
        let [left, top, right, bottom] = bounds(lens.center, &lens.frame);
        let Point { x, y } = way.start;
        let near = 8.0;
        let around = x > left - near && x < right + near && y > top - near && y < bottom + near;
        assert!(around, "{peer}: {way:?}");
        assert!(found.path((0, peer), 7, (0.0, 0.0)).start.distance(found.centers[0]) < 80.0);
    }
    // On a ring nothing crosses: what is magnified stays in its place.
    let ring = laid_out("ring", Verb::AllReduce, 16, DESKTOP);
    assert!(ring.path((0, 1), 0, (0.0, 0.0)).start.distance(ring.centers[0]) < 80.0);
}

#[test]
fn no_two_links_of_a_tree_cross() {
    let turns =
        |a: Point, b: Point, c: Point| (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    for n in 4..=16 {
        for size in [DESKTOP, PHONE] {
            let found = laid_out("tree", Verb::AllReduce, n, size);
            let Shape::Tree(Tree { children, .. }) = &found.shape else { panic!("{n}: {found:?}") };
            let at = |rank: Rank| found.centers[rank];
            let below = children.iter().enumerate();
            let links: Vec<(Rank, Rank)> =
                below.flat_map(|(rank, below)| below.iter().map(move |&b| (rank, b))).collect();
            assert_eq!(links.len(), n - 1);
            for &(a, b) in &links {
                for &(c, d) in links.iter().filter(|&&(c, d)| c != a && c != b && d != a) {
                    let cross = turns(at(a), at(b), at(c)) * turns(at(a), at(b), at(d)) < 0.0
                        && turns(at(c), at(d), at(a)) * turns(at(c), at(d), at(b)) < 0.0;
                    assert!(!cross, "n={n} {size:?}: {a}-{b} and {c}-{d}");
                }
            }
        }
    }
}

/// The structure of one request.
fn shape_of(algorithm: &str, request: Request) -> Shape {
    let algorithm = crate::engine::algorithm::find(algorithm).expect("it is in the registry");
    shape(&algorithm.build(&request).expect("it serves the request"), request.ranks_per_node)
}

#[test]
fn every_structure_is_told_by_its_messages() {
    for n in [4, 8, 16] {
        let plain = |algorithm: &str, verb| shape_of(algorithm, Request::new(verb, n));
        for verb in [Verb::AllReduce, Verb::AllGather, Verb::ReduceScatter] {
            assert_eq!(plain("ring", verb), Shape::Ring);
            assert_eq!(plain("bidirectional-ring", verb), Shape::Neighbors);
        }
        assert_eq!(plain("chain", Verb::Broadcast), Shape::Ring);
        assert_eq!(plain("chain", Verb::AllReduce), Shape::Neighbors);
        assert_eq!(plain("neighbor-exchange", Verb::AllGather), Shape::Neighbors);
        assert_eq!(plain("recursive-doubling", Verb::AllReduce), Shape::Cube);
        assert_eq!(plain("recursive-doubling", Verb::AllGather), Shape::Cube);
        assert_eq!(plain("recursive-halving", Verb::ReduceScatter), Shape::Cube);
        assert_eq!(plain("rabenseifner", Verb::AllReduce), Shape::Cube);
        assert_eq!(plain("linear", Verb::Gather), Shape::Star(0));
        assert_eq!(plain("nvls", Verb::AllReduce), Shape::Switch);
        assert_eq!(laid_out("nvls", Verb::AllGather, n, DESKTOP).centers.len(), n + 1);
        // Its links are some of a cube's, but fewer tell it better.
        assert!(matches!(plain("tree", Verb::AllReduce), Shape::Tree(_)));
        assert!(matches!(plain("binary-tree", Verb::AllReduce), Shape::Tree(_)));
        assert_eq!(plain("direct", Verb::AllGather), Shape::Mesh);
        assert_eq!(plain("bruck", Verb::AllGather), Shape::Mesh);
        for channels in [1, 2] {
            let request = Request { channels, ..Request::new(Verb::AllReduce, n) };
            let Shape::TwoTrees(trees) = shape_of("double-tree", request) else {
                panic!("{request}")
            };
            assert_eq!(trees.each_ref().map(|tree| tree.root), [0, n - 1], "{request}");
        }
        // One tree twice is one tree.
        let twice = Request { channels: 2, ..Request::new(Verb::AllReduce, n) };
        assert!(matches!(shape_of("binary-tree", twice), Shape::Tree(_)));
    }
    let off = shape_of("recursive-doubling", Request::new(Verb::AllReduce, 6));
    assert_eq!(off, Shape::Mesh);
}

#[test]
fn nodes_are_those_that_the_request_asks_for() {
    let hierarchical = crate::engine::algorithm::find("hierarchical").expect("it is there");
    for (n, ranks_per_node) in [(4, 2), (8, 2), (8, 4), (16, 2), (16, 4), (16, 8), (12, 3)] {
        for &verb in hierarchical.verbs {
            let request = Request { ranks_per_node, ..Request::new(verb, n) };
            assert_eq!(shape_of("hierarchical", request), Shape::Nodes(ranks_per_node));
        }
        let request = Request { ranks_per_node, ..Request::new(Verb::AllReduce, n) };
        assert_eq!(shape_of("double-tree", request), Shape::Nodes(ranks_per_node));
        // Links that keep neither to a node nor to a rail are something else.
        let ring = built("ring", Verb::AllReduce, n);
        assert_eq!(shape(&ring, ranks_per_node), Shape::Ring);
        assert_eq!(shape(&built("direct", Verb::AllGather, n), ranks_per_node), Shape::Mesh);
    }
    let one = Request { ranks_per_node: 8, ..Request::new(Verb::AllReduce, 8) };
    assert_eq!(shape_of("hierarchical", one), Shape::Mesh);
}

#[test]
fn outlines_hold_their_nodes_and_keep_apart() {
    each(|what, schedule, shape| {
        let &Shape::Nodes(per_node) = shape else { return };
        for size in [DESKTOP, PHONE, SMALL_PHONE] {
            let cards = cards(schedule, schedule.collective.chunks(), 1);
            let found = layout(shape, cards, size);
            let edges = |[x, y, width, height]: [f64; 4]| [x, y, x + width, y + height];
            let outlines: Vec<_> = found.nodes().into_iter().map(edges).collect();
            assert_eq!(outlines.len() * per_node, schedule.collective.ranks);
            for (node, &[left, top, right, bottom]) in outlines.iter().enumerate() {
                let on_stage = left >= 0.0 && top >= 0.0 && right <= found.width;
                assert!(on_stage && bottom <= found.height, "{what} {size:?}: {outlines:?}");
                let apart = |&other: &[f64; 4]| !overlap([left, top, right, bottom], other);
                assert!(outlines[..node].iter().all(apart), "{what} {size:?}: {outlines:?}");
                for (rank, &center) in found.centers.iter().enumerate() {
                    let card = bounds(center, &found.frame);
                    let inside = card[0] > left && card[2] < right && card[1] > top;
                    let inside = inside && card[3] < bottom;
                    assert_eq!(inside, rank / per_node == node, "{what} {size:?}: {rank}");
                }
                let lens = found.lens.map(|lens| bounds(lens.center, &lens.frame));
                assert!(lens.iter().all(apart), "{what} {size:?}");
            }
        }
    });
}

#[test]
fn every_bit_of_a_cube_has_one_direction() {
    for n in [4, 8, 16] {
        for size in [DESKTOP, PHONE] {
            let found = laid_out("recursive-doubling", Verb::AllReduce, n, size);
            let step = |rank: Rank, bit: usize| {
                let (from, to) = (found.centers[rank], found.centers[rank ^ 1 << bit]);
                (to.x - from.x, to.y - from.y)
            };
            let bits = n.ilog2() as usize;
            for bit in 0..bits {
                let first = step(0, bit);
                for rank in (0..n).filter(|rank| rank >> bit & 1 == 0) {
                    let (x, y) = step(rank, bit);
                    assert!((x - first.0).hypot(y - first.1) < 1e-6, "n={n} {size:?} bit {bit}");
                }
                for other in (0..bit).map(|bit| step(0, bit)) {
                    let turn = first.0 * other.1 - first.1 * other.0;
                    assert!(turn.abs() > 1000.0, "n={n} {size:?} bit {bit}: {first:?} {other:?}");
                }
            }
        }
    }
}

#[test]
fn two_trees_stand_above_and_below_the_middle() {
    for n in [4, 8, 16] {
        for size in [DESKTOP, PHONE] {
            let found = laid_out("double-tree", Verb::AllReduce, n, size);
            let Shape::TwoTrees(trees) = &found.shape else { panic!("{n}: {found:?}") };
            assert!(found.centers.is_sorted_by(|a, b| a.x < b.x), "{n} {size:?}");
            let ys = found.centers.iter().map(|c| c.y);
            let (top, bottom) = (ys.clone().fold(f64::MAX, f64::min), ys.fold(0.0, f64::max));
            for (tree, up) in trees.iter().zip([1.0, -1.0]) {
                let root = found.centers[tree.root].y;
                assert_eq!(root, if up > 0.0 { top } else { bottom }, "{n} {size:?}");
                for (parent, below) in tree.children.iter().enumerate() {
                    for &child in below {
                        let down = up * (found.centers[child].y - found.centers[parent].y);
                        assert!(down > 1.0, "{n} {size:?}: {parent} {child}");
                    }
                }
            }
        }
    }
}

#[test]
fn what_is_in_the_way_is_passed() {
    let hierarchical = crate::engine::algorithm::find("hierarchical").expect("it is there");
    let request = Request { ranks_per_node: 4, ..Request::new(Verb::AllReduce, 8) };
    let schedule = hierarchical.build(&request).expect("nodes are full");
    let found = layout(&shape(&schedule, 4), cards(&schedule, 8, 1), DESKTOP);
    let mut bows = 0;
    for message in schedule.messages() {
        let way = found.path((message.from, message.to), 0, (0.0, 0.0));
        bows += usize::from(way.at(0.5).distance(way.start.between(way.end)) > 1.0);
        for step in 0..=20 {
            let Point { x, y } = way.at(f64::from(step) / 20.0);
            for &center in &found.centers {
                let card = bounds(center, &found.frame);
                assert!(!overlap([x, y, x, y], card), "{message:?}: {way:?}");
            }
        }
    }
    assert!(bows > 0, "{found:?}");
}
