//! Operations on schedules, on small ones that are written by hand.
#![cfg(not(target_arch = "wasm32"))]

use ringscope::engine::check::check;
use ringscope::engine::collective::{Buffer, Collective, Verb};
use ringscope::engine::cost::rounds;
use ringscope::engine::schedule::{Action, Builder, Schedule, Span};

fn proved(builder: Builder) -> Schedule {
    let schedule = builder.finish("by hand", false);
    check(&schedule).unwrap_or_else(|fault| panic!("{fault}\n{schedule}"));
    schedule
}

/// Rank 0 sends its chunks to rank 1, one by one, in this order; rank 1 passes them on to rank 2.
fn broadcast(chunks: impl Iterator<Item = usize>, pieces: usize) -> Builder {
    let c = Collective::new(Verb::Broadcast, 3, 0, 1, pieces);
    let mut b = Builder::new(c);
    let whole = |buffer| Span::new(buffer, 0, c.chunks());
    b.push(0, 0, Action::Copy { src: whole(Buffer::Input), dst: whole(Buffer::Output) });
    for chunk in chunks {
        let at = |buffer| Span::new(buffer, chunk, 1);
        b.message((0, at(Buffer::Input)), (1, at(Buffer::Output)), 0);
        b.message((1, at(Buffer::Output)), (2, at(Buffer::Output)), 0);
    }
    b
}

#[test]
fn subdividing_makes_chunks_smaller_and_messages_no_more() {
    let (coarse, fine) = (broadcast(0..2, 2), broadcast(0..2, 2).subdivide(3));
    let (coarse, fine) = (proved(coarse), proved(fine));
    assert_eq!((coarse.collective.chunks(), fine.collective.chunks()), (2, 6));
    assert_eq!(coarse.messages(), fine.messages());
    let cost = |schedule| rounds::in_chunks(schedule);
    assert_eq!(cost(&coarse).rounds, cost(&fine).rounds);
    assert_eq!(3 * cost(&coarse).beta, cost(&fine).beta);
}

#[test]
fn a_pipe_starts_on_the_first_chunk_while_the_last_is_on_its_way() {
    let (pieces, depth) = (4, 2);
    let reduce = broadcast((0..pieces).rev(), pieces).reverse();
    let onward = broadcast(0..pieces, pieces);
    let rounds = |builder| rounds::in_chunks(&proved(builder)).rounds;
    let alone = rounds(onward.clone());
    assert_eq!(alone, depth + pieces - 1);
    assert_eq!(rounds(reduce.pipe(&onward)), 2 * depth + pieces - 1);
    // One after the other, a rank that has still to send up does not yet receive.
    assert!(rounds(reduce.then(&onward)) > 2 * depth + pieces - 1);
    // If the last chunk is the first to be reduced, there is nothing to start on.
    let backwards = broadcast(0..pieces, pieces).reverse();
    assert_eq!(rounds(backwards.pipe(&onward)), 2 * alone);
}

/// Scatter over 3 ranks: blocks 1 and 2 go to rank 1 in messages of 1 chunk and 3, and rank 1 sends
/// block 2 on. Blocks have 2 chunks, so the second message starts in the middle of one.
fn crooked_scatter(c: Collective) -> Builder {
    assert_eq!((c.ranks, c.pieces), (3, 2));
    let mut b = Builder::new(c);
    let out = Span::new(Buffer::Output, 0, 2);
    b.push(0, 0, Action::Copy { src: Span::new(Buffer::Input, 0, 2), dst: out });
    let held = b.scratch(1, 2..6);
    for (start, count) in [(2, 1), (3, 3)] {
        let dst = Span::new(Buffer::Scratch, held + start - 2, count);
        b.message((0, Span::new(Buffer::Input, start, count)), (1, dst), 0);
    }
    b.push(1, 0, Action::Copy { src: Span::new(Buffer::Scratch, held, 2), dst: out });
    b.message((1, Span::new(Buffer::Scratch, held + 2, 2)), (2, out), 0);
    b
}

#[test]
fn side_by_side_messages_are_cut_where_blocks_end() {
    let alone = proved(crooked_scatter(Collective::new(Verb::Scatter, 3, 0, 1, 2)));
    assert_eq!(alone.messages().len(), 3);
    let both = Collective::new(Verb::Scatter, 3, 0, 1, 4);
    let both = proved(Builder::side_by_side(both, 2, |_, c| crooked_scatter(c)));
    // Of a part's three messages, the one over two blocks has become two.
    assert_eq!(both.messages().len(), 2 * 4);
}
