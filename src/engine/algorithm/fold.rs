//! Folding: how an algorithm for powers of two serves any number of ranks.
//!
//! Of n ranks the largest power of two p takes part. The n-p others each have a neighbour that
//! takes part for both: the first 2(n-p) ranks are paired off. Over 6 ranks (p = 4):
//!
//! ```text
//!              MPICH                          Open MPI
//! before   0 > 1, 2 > 3: the vector       0 <> 1, 2 <> 3: a half of the vector each
//!                                         1 > 0, 3 > 2: the sum of the second half
//! awake    1, 3, 4, 5                     0, 2, 4, 5
//! after    1 > 0, 3 > 2: the result       0 > 1, 2 > 3: the result
//! ```
//!
//! The second way takes a round more and lets both of a pair add, half of the vector each.

use super::Fold;
use crate::engine::Rank;
use crate::engine::collective::{Buffer, Collective, Verb};
use crate::engine::schedule::{Action, Builder, Embedding, Peer, Span};

/// The ranks that take part among themselves: a power of two, the largest there is.
pub(super) fn survivors(ranks: usize, fold: Fold) -> Vec<Rank> {
    let awake = 1 << ranks.ilog2();
    let surplus = ranks - awake;
    let of_pair = |pair: usize| partners(pair, fold).1;
    (0..awake).map(|r| if r < surplus { of_pair(r) } else { r + surplus }).collect()
}

/// The two ranks of a pair: the one that sleeps, then the one that stays awake.
fn partners(pair: usize, fold: Fold) -> (Rank, Rank) {
    match fold {
        Fold::Mpich => (2 * pair, 2 * pair + 1),
        Fold::Ompi => (2 * pair + 1, 2 * pair),
    }
}

/// The AllReduce `c` made of `core`, an AllReduce of the same chunks whose rank i is `members[i]`:
/// the [`survivors`], in whatever order.
pub(super) fn around(core: &Builder, members: &[Rank], c: Collective, fold: Fold) -> Builder {
    let pairs = c.ranks - members.len();
    let mut b = Builder::new(c);
    for pair in 0..pairs {
        match fold {
            Fold::Mpich => hand_over(&mut b, partners(pair, fold)),
            Fold::Ompi => halve(&mut b, partners(pair, fold)),
        }
    }
    // Who is awake for two goes on with the sum of both, which is in its output.
    let span = |member: usize, span: Span| match span.buffer {
        Buffer::Input if members[member] < 2 * pairs => Span { buffer: Buffer::Output, ..span },
        _ => span,
    };
    let label = &|label| label;
    let at = Embedding { members, span: &span, label, lane: 0, channel: 0, round: 0 };
    b.embed(core, &at);
    b.phase(Verb::Broadcast);
    let result = Span::new(Buffer::Output, 0, c.chunks());
    for (asleep, awake) in (0..pairs).map(|pair| partners(pair, fold)) {
        b.message((awake, result), (asleep, result), 0);
    }
    b
}

/// The one hands its vector to the other, which adds.
fn hand_over(b: &mut Builder, (asleep, awake): (Rank, Rank)) {
    b.phase(Verb::Reduce);
    let whole = |buffer| Span::new(buffer, 0, b.collective().chunks());
    let (src, dst) = (whole(Buffer::Input), whole(Buffer::Output));
    send(b, asleep, awake, src);
    add(b, awake, asleep, src, dst);
}

/// Both add, a half of the vector each, and the one that stays awake gets both halves.
fn halve(b: &mut Builder, (asleep, awake): (Rank, Rank)) {
    let half = b.collective().chunks() / 2;
    let [first, second] = [0, half].map(|start| move |buffer| Span::new(buffer, start, half));
    b.phase(Verb::ReduceScatter);
    send(b, awake, asleep, second(Buffer::Input));
    send(b, asleep, awake, first(Buffer::Input));
    add(b, awake, asleep, first(Buffer::Input), first(Buffer::Output));
    add(b, asleep, awake, second(Buffer::Input), second(Buffer::Output));
    b.phase(Verb::Gather);
    b.message((asleep, second(Buffer::Output)), (awake, second(Buffer::Output)), 0);
}

fn send(b: &mut Builder, rank: Rank, to: Rank, src: Span) {
    b.push(rank, 0, Action::Send { src, to: Peer { rank: to, channel: 0 } });
}

fn add(b: &mut Builder, rank: Rank, from: Rank, src: Span, dst: Span) {
    b.push(rank, 0, Action::RecvReduce { from: Peer { rank: from, channel: 0 }, src, dst });
}
