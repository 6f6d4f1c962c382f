//! A verb as a picture: 4 ranks by 4 chunks, before and after, computed from the verb's contract.

use crate::engine::collective::{Collective, Verb};
use crate::engine::{Label, Rank};

/// Rows and columns of a picture.
pub const SIDE: usize = 4;

/// What one square shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Square {
    /// Nothing is there.
    Empty,
    /// A chunk, by its hue.
    Chunk(usize),
    /// A chunk that holds several ranks' contributions.
    Reduced,
}

/// One side of a picture: `grid[rank][column]`.
pub type Grid = [[Square; SIDE]; SIDE];

/// The picture of `verb` over four ranks with root 0: (before, after).
///
/// Hue is the chunk's label. In AllToAll and Shift every rank sends the same places, so there the
/// hue is the rank the chunk came from: otherwise before and after would look alike.
pub fn picture(verb: Verb) -> (Grid, Grid) {
    // A barrier moves a single token; everything else is cut into four.
    let blocks = if verb == Verb::Barrier { 1 } else { SIDE };
    let contract = Collective::new(verb, SIDE, 0, blocks, 1);
    let by_source = matches!(verb, Verb::AllToAll | Verb::Shift);
    let chunk = |label: Label, from: Rank| Square::Chunk(if by_source { from } else { label });
    let mut before = [[Square::Empty; SIDE]; SIDE];
    let mut after = before;
    for rank in 0..SIDE {
        let input: Vec<_> =
            contract.input(rank).into_iter().map(|label| (label, chunk(label, rank))).collect();
        place(&contract, &mut before[rank], &input);
        let required = contract.required(rank).into_iter().map(|r| match r.from[..] {
            [from] => (r.label, chunk(r.label, from)),
            _ => (r.label, Square::Reduced),
        });
        place(&contract, &mut after[rank], &required.collect::<Vec<_>>());
    }
    (before, after)
}

/// A full row shows its chunks in order; a single block stands where it belongs in the whole
/// vector.
fn place(contract: &Collective, row: &mut [Square; SIDE], chunks: &[(Label, Square)]) {
    for (i, &(label, square)) in chunks.iter().enumerate() {
        let column = if chunks.len() == SIDE { i } else { contract.place(label) };
        row[column] = square;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `0`-`3` a hue, `#` reduced, `.` empty; rows of before and after side by side.
    fn drawn(verb: Verb) -> [String; SIDE] {
        let (before, after) = picture(verb);
        let line = |row: &[Square; SIDE]| -> String {
            row.iter()
                .map(|square| match square {
                    Square::Empty => '.',
                    Square::Chunk(hue) => char::from(b'0' + *hue as u8),
                    Square::Reduced => '#',
                })
                .collect()
        };
        std::array::from_fn(|rank| format!("{} {}", line(&before[rank]), line(&after[rank])))
    }

    #[test]
    fn pictures_show_what_the_verbs_mean() {
        let cases = [
            (Verb::AllReduce, ["0123 ####", "0123 ####", "0123 ####", "0123 ####"]),
            (Verb::Reduce, ["0123 ####", "0123 ....", "0123 ....", "0123 ...."]),
            (Verb::ReduceScatter, ["0123 #...", "0123 .#..", "0123 ..#.", "0123 ...#"]),
            (Verb::AllGather, ["0... 0123", ".1.. 0123", "..2. 0123", "...3 0123"]),
            (Verb::Gather, ["0... 0123", ".1.. ....", "..2. ....", "...3 ...."]),
            (Verb::Scatter, ["0123 0...", ".... .1..", ".... ..2.", ".... ...3"]),
            (Verb::Broadcast, ["0123 0123", ".... 0123", ".... 0123", ".... 0123"]),
            (Verb::AllToAll, ["0000 0123", "1111 0123", "2222 0123", "3333 0123"]),
            (Verb::SendRecv, ["0123 ....", ".... 0123", ".... ....", ".... ...."]),
            (Verb::Shift, ["0000 3333", "1111 0000", "2222 1111", "3333 2222"]),
            (Verb::Barrier, ["0... #...", "0... #...", "0... #...", "0... #..."]),
        ];
        assert_eq!(cases.len(), Verb::ALL.len());
        for (verb, rows) in cases {
            assert_eq!(drawn(verb), rows, "{}", verb.title());
        }
    }

    #[test]
    fn no_two_verbs_look_alike() {
        for (i, a) in Verb::ALL.iter().enumerate() {
            assert!(Verb::ALL[..i].iter().all(|b| picture(*a) != picture(*b)), "{}", a.title());
        }
    }
}
