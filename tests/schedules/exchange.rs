//! Partners that exchange: doubling, halving, rotating, and compositions of those.

use super::{shows, shows_request};
use expect_test::expect;
use ringscope::engine::algorithm::{Fold, Request, Variant};
use ringscope::engine::collective::Verb;

#[test]
fn recursive_doubling_all_reduce() {
    shows(
        "recursive-doubling",
        Verb::AllReduce,
        expect![[r#"
        AllReduce by recursive-doubling: 4 ranks, 1 chunk
        rank 0
          0  AllReduce 1  send                        in[0]                > 1
          1  AllReduce 1  recv-reduce-copy-send  1 >  out[0] = x + in[0]   > 2
          2  AllReduce 2  recv-reduce            2 >  out[0] = x + out[0]
        rank 1
          0  AllReduce 1  send                        in[0]                > 0
          1  AllReduce 1  recv-reduce-copy-send  0 >  out[0] = x + in[0]   > 3
          2  AllReduce 2  recv-reduce            3 >  out[0] = x + out[0]
        rank 2
          0  AllReduce 1  send                        in[0]                > 3
          1  AllReduce 1  recv-reduce-copy-send  3 >  out[0] = x + in[0]   > 0
          2  AllReduce 2  recv-reduce            0 >  out[0] = x + out[0]
        rank 3
          0  AllReduce 1  send                        in[0]                > 2
          1  AllReduce 1  recv-reduce-copy-send  2 >  out[0] = x + in[0]   > 1
          2  AllReduce 2  recv-reduce            1 >  out[0] = x + out[0]
    "#]],
    );
}

#[test]
fn recursive_doubling_all_gather() {
    shows(
        "recursive-doubling",
        Verb::AllGather,
        expect![[r#"
        AllGather by recursive-doubling: 4 ranks, 4 chunks
        rank 0
          0  AllGather 1  copy       out[0] = in[0]
          1  AllGather 1  send       in[0]           > 1
          2  AllGather 1  recv  1 >  out[1] = x
          3  AllGather 2  send       out[0..2]       > 2
          4  AllGather 2  recv  2 >  out[2..4] = x
        rank 1
          0  AllGather 1  copy       out[1] = in[0]
          1  AllGather 1  send       in[0]           > 0
          2  AllGather 1  recv  0 >  out[0] = x
          3  AllGather 2  send       out[0..2]       > 3
          4  AllGather 2  recv  3 >  out[2..4] = x
        rank 2
          0  AllGather 1  copy       out[2] = in[0]
          1  AllGather 1  send       in[0]           > 3
          2  AllGather 1  recv  3 >  out[3] = x
          3  AllGather 2  send       out[2..4]       > 0
          4  AllGather 2  recv  0 >  out[0..2] = x
        rank 3
          0  AllGather 1  copy       out[3] = in[0]
          1  AllGather 1  send       in[0]           > 2
          2  AllGather 1  recv  2 >  out[2] = x
          3  AllGather 2  send       out[2..4]       > 1
          4  AllGather 2  recv  1 >  out[0..2] = x
    "#]],
    );
}

#[test]
fn recursive_halving_reduce_scatter() {
    shows(
        "recursive-halving",
        Verb::ReduceScatter,
        expect![[r#"
        ReduceScatter by recursive-halving: 4 ranks, 4 chunks
        rank 0
          0  ReduceScatter 1  send              in[2..4]                  > 2
          1  ReduceScatter 1  recv-reduce  2 >  tmp[0..2] = x + in[0..2]
          2  ReduceScatter 2  send              tmp[1]                    > 1
          3  ReduceScatter 2  recv-reduce  1 >  out[0] = x + tmp[0]
        rank 1
          0  ReduceScatter 1  send              in[2..4]                  > 3
          1  ReduceScatter 1  recv-reduce  3 >  tmp[0..2] = x + in[0..2]
          2  ReduceScatter 2  send              tmp[0]                    > 0
          3  ReduceScatter 2  recv-reduce  0 >  out[0] = x + tmp[1]
        rank 2
          0  ReduceScatter 1  send              in[0..2]                  > 0
          1  ReduceScatter 1  recv-reduce  0 >  tmp[0..2] = x + in[2..4]
          2  ReduceScatter 2  send              tmp[1]                    > 3
          3  ReduceScatter 2  recv-reduce  3 >  out[0] = x + tmp[0]
        rank 3
          0  ReduceScatter 1  send              in[0..2]                  > 1
          1  ReduceScatter 1  recv-reduce  1 >  tmp[0..2] = x + in[2..4]
          2  ReduceScatter 2  send              tmp[0]                    > 2
          3  ReduceScatter 2  recv-reduce  2 >  out[0] = x + tmp[1]
    "#]],
    );
}

#[test]
fn rabenseifner_all_reduce() {
    shows(
        "rabenseifner",
        Verb::AllReduce,
        expect![[r#"
        AllReduce by rabenseifner: 4 ranks, 4 chunks
        rank 0
          0  ReduceScatter 1  send                        in[2..4]                  > 1
          1  ReduceScatter 1  recv-reduce            1 >  tmp[0..2] = x + in[0..2]
          2  ReduceScatter 2  send                        tmp[1]                    > 2
          3  ReduceScatter 2  recv-reduce-copy-send  2 >  out[0] = x + tmp[0]       > 2
          4  AllGather 1      recv                   2 >  out[1] = x
          5  AllGather 2      send                        out[0..2]                 > 1
          6  AllGather 2      recv                   1 >  out[2..4] = x
        rank 1
          0  ReduceScatter 1  send                        in[0..2]                  > 0
          1  ReduceScatter 1  recv-reduce            0 >  tmp[0..2] = x + in[2..4]
          2  ReduceScatter 2  send                        tmp[1]                    > 3
          3  ReduceScatter 2  recv-reduce-copy-send  3 >  out[2] = x + tmp[0]       > 3
          4  AllGather 1      recv                   3 >  out[3] = x
          5  AllGather 2      send                        out[2..4]                 > 0
          6  AllGather 2      recv                   0 >  out[0..2] = x
        rank 2
          0  ReduceScatter 1  send                        in[2..4]                  > 3
          1  ReduceScatter 1  recv-reduce            3 >  tmp[0..2] = x + in[0..2]
          2  ReduceScatter 2  send                        tmp[0]                    > 0
          3  ReduceScatter 2  recv-reduce-copy-send  0 >  out[1] = x + tmp[1]       > 0
          4  AllGather 1      recv                   0 >  out[0] = x
          5  AllGather 2      send                        out[0..2]                 > 3
          6  AllGather 2      recv                   3 >  out[2..4] = x
        rank 3
          0  ReduceScatter 1  send                        in[0..2]                  > 2
          1  ReduceScatter 1  recv-reduce            2 >  tmp[0..2] = x + in[2..4]
          2  ReduceScatter 2  send                        tmp[0]                    > 1
          3  ReduceScatter 2  recv-reduce-copy-send  1 >  out[3] = x + tmp[1]       > 1
          4  AllGather 1      recv                   1 >  out[2] = x
          5  AllGather 2      send                        out[2..4]                 > 2
          6  AllGather 2      recv                   2 >  out[0..2] = x
    "#]],
    );
}

#[test]
fn rabenseifner_folded_as_mpich_does() {
    let request = Request { fold: Fold::Mpich, ..Request::new(Verb::AllReduce, 3) };
    shows_request(
        "rabenseifner",
        request,
        expect![[r#"
        AllReduce by rabenseifner: 3 ranks, 2 chunks
        rank 0
          0  Reduce 1     send       in[0..2]       > 1
          1  Broadcast 1  recv  1 >  out[0..2] = x
        rank 1
          0  Reduce 1         recv-reduce            0 >  out[0..2] = x + in[0..2]
          1  ReduceScatter 1  send                        out[1]                    > 2
          2  ReduceScatter 1  recv-reduce-copy-send  2 >  out[0] = x + out[0]       > 2
          3  AllGather 1      recv                   2 >  out[1] = x
          4  Broadcast 1      send                        out[0..2]                 > 0
        rank 2
          0  ReduceScatter 1  send                        in[0]               > 1
          1  ReduceScatter 1  recv-reduce-copy-send  1 >  out[1] = x + in[1]  > 1
          2  AllGather 1      recv                   1 >  out[0] = x
    "#]],
    );
}

#[test]
fn rabenseifner_folded_as_ompi_does() {
    let request = Request { fold: Fold::Ompi, ..Request::new(Verb::AllReduce, 3) };
    shows_request(
        "rabenseifner",
        request,
        expect![[r#"
        AllReduce by rabenseifner: 3 ranks, 2 chunks
        rank 0
          0  ReduceScatter 1  send                        in[1]                > 1
          1  ReduceScatter 1  recv-reduce            1 >  out[0] = x + in[0]
          2  Gather 1         recv-copy-send         1 >  out[1] = x           > 2
          3  ReduceScatter 1  recv-reduce-copy-send  2 >  out[0] = x + out[0]  > 2
          4  AllGather 1      recv                   2 >  out[1] = x
          5  Broadcast 1      send                        out[0..2]            > 1
        rank 1
          0  ReduceScatter 1  send                        in[0]               > 0
          1  ReduceScatter 1  recv-reduce-copy-send  0 >  out[1] = x + in[1]  > 0
          2  Broadcast 1      recv                   0 >  out[0..2] = x
        rank 2
          0  ReduceScatter 1  send                        in[0]               > 0
          1  ReduceScatter 1  recv-reduce-copy-send  0 >  out[1] = x + in[1]  > 0
          2  AllGather 1      recv                   0 >  out[0] = x
    "#]],
    );
}

#[test]
fn bruck_all_gather() {
    shows(
        "bruck",
        Verb::AllGather,
        expect![[r#"
            AllGather by bruck: 4 ranks, 4 chunks
            rank 0
              0  AllGather 1  copy       out[0] = in[0]
              1  AllGather 1  copy       tmp[0] = in[0]
              2  AllGather 1  send       in[0]                  > 3
              3  AllGather 1  recv  1 >  tmp[1] = x
              4  AllGather 2  send       tmp[0..2]              > 2
              5  AllGather 2  recv  2 >  tmp[2..4] = x
              6  AllGather 2  copy       out[1..4] = tmp[1..4]
            rank 1
              0  AllGather 1  copy       out[1] = in[0]
              1  AllGather 1  copy       tmp[0] = in[0]
              2  AllGather 1  send       in[0]                  > 0
              3  AllGather 1  recv  2 >  tmp[1] = x
              4  AllGather 2  send       tmp[0..2]              > 3
              5  AllGather 2  recv  3 >  tmp[2..4] = x
              6  AllGather 2  copy       out[2..4] = tmp[1..3]
              7  AllGather 2  copy       out[0] = tmp[3]
            rank 2
              0  AllGather 1  copy       out[2] = in[0]
              1  AllGather 1  copy       tmp[0] = in[0]
              2  AllGather 1  send       in[0]                  > 1
              3  AllGather 1  recv  3 >  tmp[1] = x
              4  AllGather 2  send       tmp[0..2]              > 0
              5  AllGather 2  recv  0 >  tmp[2..4] = x
              6  AllGather 2  copy       out[3] = tmp[1]
              7  AllGather 2  copy       out[0..2] = tmp[2..4]
            rank 3
              0  AllGather 1  copy       out[3] = in[0]
              1  AllGather 1  copy       tmp[0] = in[0]
              2  AllGather 1  send       in[0]                  > 2
              3  AllGather 1  recv  0 >  tmp[1] = x
              4  AllGather 2  send       tmp[0..2]              > 1
              5  AllGather 2  recv  1 >  tmp[2..4] = x
              6  AllGather 2  copy       out[0..3] = tmp[1..4]
        "#]],
    );
}

#[test]
fn bruck_all_to_all() {
    shows(
        "bruck",
        Verb::AllToAll,
        expect![[r#"
        AllToAll by bruck: 4 ranks, 4 chunks
        rank 0
           0  AllToAll 1  copy       tmp[0] = in[1]
           1  AllToAll 1  copy       tmp[1] = in[3]
           2  AllToAll 1  send       tmp[0..2]        > 1
           3  AllToAll 1  recv  3 >  tmp[2..4] = x
           4  AllToAll 2  copy       tmp[4] = in[2]
           5  AllToAll 2  copy       tmp[5] = tmp[3]
           6  AllToAll 2  send       tmp[4..6]        > 2
           7  AllToAll 2  recv  2 >  tmp[6..8] = x
           8  AllToAll 2  copy       out[0] = in[0]
           9  AllToAll 2  copy       out[3] = tmp[2]
          10  AllToAll 2  copy       out[2] = tmp[6]
          11  AllToAll 2  copy       out[1] = tmp[7]
        rank 1
           0  AllToAll 1  copy       tmp[2] = in[2]
           1  AllToAll 1  copy       tmp[3] = in[0]
           2  AllToAll 1  send       tmp[2..4]        > 2
           3  AllToAll 1  recv  0 >  tmp[0..2] = x
           4  AllToAll 2  copy       tmp[4] = in[3]
           5  AllToAll 2  copy       tmp[5] = tmp[1]
           6  AllToAll 2  send       tmp[4..6]        > 3
           7  AllToAll 2  recv  3 >  tmp[6..8] = x
           8  AllToAll 2  copy       out[1] = in[1]
           9  AllToAll 2  copy       out[0] = tmp[0]
          10  AllToAll 2  copy       out[3] = tmp[6]
          11  AllToAll 2  copy       out[2] = tmp[7]
        rank 2
           0  AllToAll 1  copy       tmp[2] = in[3]
           1  AllToAll 1  copy       tmp[3] = in[1]
           2  AllToAll 1  send       tmp[2..4]        > 3
           3  AllToAll 1  recv  1 >  tmp[0..2] = x
           4  AllToAll 2  copy       tmp[6] = in[0]
           5  AllToAll 2  copy       tmp[7] = tmp[1]
           6  AllToAll 2  send       tmp[6..8]        > 0
           7  AllToAll 2  recv  0 >  tmp[4..6] = x
           8  AllToAll 2  copy       out[2] = in[2]
           9  AllToAll 2  copy       out[1] = tmp[0]
          10  AllToAll 2  copy       out[0] = tmp[4]
          11  AllToAll 2  copy       out[3] = tmp[5]
        rank 3
           0  AllToAll 1  copy       tmp[2] = in[0]
           1  AllToAll 1  copy       tmp[3] = in[2]
           2  AllToAll 1  send       tmp[2..4]        > 0
           3  AllToAll 1  recv  2 >  tmp[0..2] = x
           4  AllToAll 2  copy       tmp[6] = in[1]
           5  AllToAll 2  copy       tmp[7] = tmp[1]
           6  AllToAll 2  send       tmp[6..8]        > 1
           7  AllToAll 2  recv  1 >  tmp[4..6] = x
           8  AllToAll 2  copy       out[3] = in[3]
           9  AllToAll 2  copy       out[2] = tmp[0]
          10  AllToAll 2  copy       out[1] = tmp[4]
          11  AllToAll 2  copy       out[0] = tmp[5]
    "#]],
    );
}

#[test]
fn pairwise_reduce_scatter() {
    shows(
        "pairwise",
        Verb::ReduceScatter,
        expect![[r#"
        ReduceScatter by pairwise: 4 ranks, 4 chunks
        rank 0
          0  ReduceScatter 1  send              in[1]                > 1
          1  ReduceScatter 1  recv-reduce  3 >  out[0] = x + in[0]
          2  ReduceScatter 2  send              in[2]                > 2
          3  ReduceScatter 2  recv-reduce  2 >  out[0] = x + out[0]
          4  ReduceScatter 3  send              in[3]                > 3
          5  ReduceScatter 3  recv-reduce  1 >  out[0] = x + out[0]
        rank 1
          0  ReduceScatter 1  send              in[2]                > 2
          1  ReduceScatter 1  recv-reduce  0 >  out[0] = x + in[1]
          2  ReduceScatter 2  send              in[3]                > 3
          3  ReduceScatter 2  recv-reduce  3 >  out[0] = x + out[0]
          4  ReduceScatter 3  send              in[0]                > 0
          5  ReduceScatter 3  recv-reduce  2 >  out[0] = x + out[0]
        rank 2
          0  ReduceScatter 1  send              in[3]                > 3
          1  ReduceScatter 1  recv-reduce  1 >  out[0] = x + in[2]
          2  ReduceScatter 2  send              in[0]                > 0
          3  ReduceScatter 2  recv-reduce  0 >  out[0] = x + out[0]
          4  ReduceScatter 3  send              in[1]                > 1
          5  ReduceScatter 3  recv-reduce  3 >  out[0] = x + out[0]
        rank 3
          0  ReduceScatter 1  send              in[0]                > 0
          1  ReduceScatter 1  recv-reduce  2 >  out[0] = x + in[3]
          2  ReduceScatter 2  send              in[1]                > 1
          3  ReduceScatter 2  recv-reduce  1 >  out[0] = x + out[0]
          4  ReduceScatter 3  send              in[2]                > 2
          5  ReduceScatter 3  recv-reduce  0 >  out[0] = x + out[0]
    "#]],
    );
}

#[test]
fn pairwise_all_to_all() {
    shows(
        "pairwise",
        Verb::AllToAll,
        expect![[r#"
        AllToAll by pairwise: 4 ranks, 4 chunks
        rank 0
          0  AllToAll 1  copy       out[0] = in[0]
          1  AllToAll 1  send       in[1]           > 1
          2  AllToAll 1  recv  3 >  out[3] = x
          3  AllToAll 2  send       in[2]           > 2
          4  AllToAll 2  recv  2 >  out[2] = x
          5  AllToAll 3  send       in[3]           > 3
          6  AllToAll 3  recv  1 >  out[1] = x
        rank 1
          0  AllToAll 1  copy       out[1] = in[1]
          1  AllToAll 1  send       in[2]           > 2
          2  AllToAll 1  recv  0 >  out[0] = x
          3  AllToAll 2  send       in[3]           > 3
          4  AllToAll 2  recv  3 >  out[3] = x
          5  AllToAll 3  send       in[0]           > 0
          6  AllToAll 3  recv  2 >  out[2] = x
        rank 2
          0  AllToAll 1  copy       out[2] = in[2]
          1  AllToAll 1  send       in[3]           > 3
          2  AllToAll 1  recv  1 >  out[1] = x
          3  AllToAll 2  send       in[0]           > 0
          4  AllToAll 2  recv  0 >  out[0] = x
          5  AllToAll 3  send       in[1]           > 1
          6  AllToAll 3  recv  3 >  out[3] = x
        rank 3
          0  AllToAll 1  copy       out[3] = in[3]
          1  AllToAll 1  send       in[0]           > 0
          2  AllToAll 1  recv  2 >  out[2] = x
          3  AllToAll 2  send       in[1]           > 1
          4  AllToAll 2  recv  1 >  out[1] = x
          5  AllToAll 3  send       in[2]           > 2
          6  AllToAll 3  recv  0 >  out[0] = x
    "#]],
    );
}

#[test]
fn pairwise_all_to_all_by_xor() {
    let request = Request { variant: Variant::Xor, ..Request::new(Verb::AllToAll, 4) };
    shows_request(
        "pairwise",
        request,
        expect![[r#"
        AllToAll by pairwise: 4 ranks, 4 chunks
        rank 0
          0  AllToAll 1  copy       out[0] = in[0]
          1  AllToAll 1  send       in[1]           > 1
          2  AllToAll 1  recv  1 >  out[1] = x
          3  AllToAll 2  send       in[2]           > 2
          4  AllToAll 2  recv  2 >  out[2] = x
          5  AllToAll 3  send       in[3]           > 3
          6  AllToAll 3  recv  3 >  out[3] = x
        rank 1
          0  AllToAll 1  copy       out[1] = in[1]
          1  AllToAll 1  send       in[0]           > 0
          2  AllToAll 1  recv  0 >  out[0] = x
          3  AllToAll 2  send       in[3]           > 3
          4  AllToAll 2  recv  3 >  out[3] = x
          5  AllToAll 3  send       in[2]           > 2
          6  AllToAll 3  recv  2 >  out[2] = x
        rank 2
          0  AllToAll 1  copy       out[2] = in[2]
          1  AllToAll 1  send       in[3]           > 3
          2  AllToAll 1  recv  3 >  out[3] = x
          3  AllToAll 2  send       in[0]           > 0
          4  AllToAll 2  recv  0 >  out[0] = x
          5  AllToAll 3  send       in[1]           > 1
          6  AllToAll 3  recv  1 >  out[1] = x
        rank 3
          0  AllToAll 1  copy       out[3] = in[3]
          1  AllToAll 1  send       in[2]           > 2
          2  AllToAll 1  recv  2 >  out[2] = x
          3  AllToAll 2  send       in[1]           > 1
          4  AllToAll 2  recv  1 >  out[1] = x
          5  AllToAll 3  send       in[0]           > 0
          6  AllToAll 3  recv  0 >  out[0] = x
    "#]],
    );
}

#[test]
fn one_shot_all_reduce() {
    shows(
        "one-shot",
        Verb::AllReduce,
        expect![[r#"
        AllReduce by one-shot: 4 ranks, 1 chunk
        rank 0
          0  AllReduce 1  send              in[0]                > 1  lane 0
          1  AllReduce 1  send              in[0]                > 2  lane 1
          2  AllReduce 1  send              in[0]                > 3  lane 2
          3  AllReduce 1  recv-reduce  3 >  out[0] = x + in[0]        lane 0 after 1, 2
          4  AllReduce 1  recv-reduce  2 >  out[0] = x + out[0]       lane 1 after 3
          5  AllReduce 1  recv-reduce  1 >  out[0] = x + out[0]       lane 2 after 4
        rank 1
          0  AllReduce 1  send              in[0]                > 2  lane 0
          1  AllReduce 1  send              in[0]                > 3  lane 1
          2  AllReduce 1  send              in[0]                > 0  lane 2
          3  AllReduce 1  recv-reduce  0 >  out[0] = x + in[0]        lane 0 after 1, 2
          4  AllReduce 1  recv-reduce  3 >  out[0] = x + out[0]       lane 1 after 3
          5  AllReduce 1  recv-reduce  2 >  out[0] = x + out[0]       lane 2 after 4
        rank 2
          0  AllReduce 1  send              in[0]                > 3  lane 0
          1  AllReduce 1  send              in[0]                > 0  lane 1
          2  AllReduce 1  send              in[0]                > 1  lane 2
          3  AllReduce 1  recv-reduce  1 >  out[0] = x + in[0]        lane 0 after 1, 2
          4  AllReduce 1  recv-reduce  0 >  out[0] = x + out[0]       lane 1 after 3
          5  AllReduce 1  recv-reduce  3 >  out[0] = x + out[0]       lane 2 after 4
        rank 3
          0  AllReduce 1  send              in[0]                > 0  lane 0
          1  AllReduce 1  send              in[0]                > 1  lane 1
          2  AllReduce 1  send              in[0]                > 2  lane 2
          3  AllReduce 1  recv-reduce  2 >  out[0] = x + in[0]        lane 0 after 1, 2
          4  AllReduce 1  recv-reduce  1 >  out[0] = x + out[0]       lane 1 after 3
          5  AllReduce 1  recv-reduce  0 >  out[0] = x + out[0]       lane 2 after 4
    "#]],
    );
}

#[test]
fn scatter_allgather_broadcast() {
    shows(
        "scatter-allgather",
        Verb::Broadcast,
        expect![[r#"
        Broadcast by scatter-allgather: 4 ranks, root 0, 4 chunks
        rank 0
          0  Scatter 1    send                 in[2..4]        > 2
          1  Scatter 2    send                 in[1]           > 1
          2  Scatter 2    copy                 out[0] = in[0]
          3  AllGather 1  send                 out[0]          > 1
          4  AllGather 1  recv-copy-send  3 >  out[3] = x      > 1
          5  AllGather 2  recv-copy-send  3 >  out[2] = x      > 1
          6  AllGather 3  recv            3 >  out[1] = x
        rank 1
          0  Scatter 2    recv            0 >  tmp[0] = x
          1  Scatter 2    copy                 out[1] = tmp[0]
          2  AllGather 1  send                 out[1]           > 2
          3  AllGather 1  recv-copy-send  0 >  out[0] = x       > 2
          4  AllGather 2  recv-copy-send  0 >  out[3] = x       > 2
          5  AllGather 3  recv            0 >  out[2] = x
        rank 2
          0  Scatter 1    recv            0 >  tmp[0..2] = x
          1  Scatter 2    send                 tmp[1]           > 3
          2  Scatter 2    copy                 out[2] = tmp[0]
          3  AllGather 1  send                 out[2]           > 3
          4  AllGather 1  recv-copy-send  1 >  out[1] = x       > 3
          5  AllGather 2  recv-copy-send  1 >  out[0] = x       > 3
          6  AllGather 3  recv            1 >  out[3] = x
        rank 3
          0  Scatter 2    recv            2 >  tmp[0] = x
          1  Scatter 2    copy                 out[3] = tmp[0]
          2  AllGather 1  send                 out[3]           > 0
          3  AllGather 1  recv-copy-send  2 >  out[2] = x       > 0
          4  AllGather 2  recv-copy-send  2 >  out[1] = x       > 0
          5  AllGather 3  recv            2 >  out[0] = x
    "#]],
    );
}

#[test]
fn nhr_all_reduce() {
    shows(
        "nhr",
        Verb::AllReduce,
        expect![[r#"
            AllReduce by nhr: 4 ranks, 4 chunks
            rank 0
               0  ReduceScatter 1  copy                        tmp[0] = in[0]
               1  ReduceScatter 1  copy                        tmp[3] = in[1]
               2  ReduceScatter 1  copy                        tmp[1..3] = in[2..4]
               3  ReduceScatter 1  send                        tmp[2..4]                  > 3
               4  ReduceScatter 1  recv-reduce            1 >  tmp[0..2] = x + tmp[0..2]
               5  ReduceScatter 2  send                        tmp[1]                     > 2
               6  ReduceScatter 2  recv-reduce-copy-send  2 >  out[0] = x + tmp[0]        > 2
               7  AllGather 1      copy                        tmp[4] = out[0]
               8  AllGather 1      recv                   2 >  tmp[5] = x
               9  AllGather 2      send                        tmp[4..6]                  > 1
              10  AllGather 2      recv                   3 >  tmp[6..8] = x
              11  AllGather 2      copy                        out[2..4] = tmp[5..7]
              12  AllGather 2      copy                        out[1] = tmp[7]
            rank 1
               0  ReduceScatter 1  copy                        tmp[0] = in[1]
               1  ReduceScatter 1  copy                        tmp[3] = in[2]
               2  ReduceScatter 1  copy                        tmp[2] = in[0]
               3  ReduceScatter 1  copy                        tmp[1] = in[3]
               4  ReduceScatter 1  send                        tmp[2..4]                  > 0
               5  ReduceScatter 1  recv-reduce            2 >  tmp[0..2] = x + tmp[0..2]
               6  ReduceScatter 2  send                        tmp[1]                     > 3
               7  ReduceScatter 2  recv-reduce-copy-send  3 >  out[1] = x + tmp[0]        > 3
               8  AllGather 1      copy                        tmp[4] = out[1]
               9  AllGather 1      recv                   3 >  tmp[5] = x
              10  AllGather 2      send                        tmp[4..6]                  > 2
              11  AllGather 2      recv                   0 >  tmp[6..8] = x
              12  AllGather 2      copy                        out[3] = tmp[5]
              13  AllGather 2      copy                        out[0] = tmp[6]
              14  AllGather 2      copy                        out[2] = tmp[7]
            rank 2
               0  ReduceScatter 1  copy                        tmp[0] = in[2]
               1  ReduceScatter 1  copy                        tmp[3] = in[3]
               2  ReduceScatter 1  copy                        tmp[1..3] = in[0..2]
               3  ReduceScatter 1  send                        tmp[2..4]                  > 1
               4  ReduceScatter 1  recv-reduce            3 >  tmp[0..2] = x + tmp[0..2]
               5  ReduceScatter 2  send                        tmp[1]                     > 0
               6  ReduceScatter 2  recv-reduce-copy-send  0 >  out[2] = x + tmp[0]        > 0
               7  AllGather 1      copy                        tmp[4] = out[2]
               8  AllGather 1      recv                   0 >  tmp[5] = x
               9  AllGather 2      send                        tmp[4..6]                  > 3
              10  AllGather 2      recv                   1 >  tmp[6..8] = x
              11  AllGather 2      copy                        out[0..2] = tmp[5..7]
              12  AllGather 2      copy                        out[3] = tmp[7]
            rank 3
               0  ReduceScatter 1  copy                        tmp[0] = in[3]
               1  ReduceScatter 1  copy                        tmp[3] = in[0]
               2  ReduceScatter 1  copy                        tmp[1..3] = in[1..3]
               3  ReduceScatter 1  send                        tmp[2..4]                  > 2
               4  ReduceScatter 1  recv-reduce            0 >  tmp[0..2] = x + tmp[0..2]
               5  ReduceScatter 2  send                        tmp[1]                     > 1
               6  ReduceScatter 2  recv-reduce-copy-send  1 >  out[3] = x + tmp[0]        > 1
               7  AllGather 1      copy                        tmp[4] = out[3]
               8  AllGather 1      recv                   1 >  tmp[5] = x
               9  AllGather 2      send                        tmp[4..6]                  > 0
              10  AllGather 2      recv                   2 >  tmp[6..8] = x
              11  AllGather 2      copy                        out[1..3] = tmp[5..7]
              12  AllGather 2      copy                        out[0] = tmp[7]
        "#]],
    );
}

#[test]
fn nhr_reduce_scatter() {
    shows(
        "nhr",
        Verb::ReduceScatter,
        expect![[r#"
            ReduceScatter by nhr: 4 ranks, 4 chunks
            rank 0
              0  ReduceScatter 1  copy              tmp[0] = in[0]
              1  ReduceScatter 1  copy              tmp[3] = in[1]
              2  ReduceScatter 1  copy              tmp[1..3] = in[2..4]
              3  ReduceScatter 1  send              tmp[2..4]                  > 3
              4  ReduceScatter 1  recv-reduce  1 >  tmp[0..2] = x + tmp[0..2]
              5  ReduceScatter 2  send              tmp[1]                     > 2
              6  ReduceScatter 2  recv-reduce  2 >  out[0] = x + tmp[0]
            rank 1
              0  ReduceScatter 1  copy              tmp[0] = in[1]
              1  ReduceScatter 1  copy              tmp[3] = in[2]
              2  ReduceScatter 1  copy              tmp[2] = in[0]
              3  ReduceScatter 1  copy              tmp[1] = in[3]
              4  ReduceScatter 1  send              tmp[2..4]                  > 0
              5  ReduceScatter 1  recv-reduce  2 >  tmp[0..2] = x + tmp[0..2]
              6  ReduceScatter 2  send              tmp[1]                     > 3
              7  ReduceScatter 2  recv-reduce  3 >  out[0] = x + tmp[0]
            rank 2
              0  ReduceScatter 1  copy              tmp[0] = in[2]
              1  ReduceScatter 1  copy              tmp[3] = in[3]
              2  ReduceScatter 1  copy              tmp[1..3] = in[0..2]
              3  ReduceScatter 1  send              tmp[2..4]                  > 1
              4  ReduceScatter 1  recv-reduce  3 >  tmp[0..2] = x + tmp[0..2]
              5  ReduceScatter 2  send              tmp[1]                     > 0
              6  ReduceScatter 2  recv-reduce  0 >  out[0] = x + tmp[0]
            rank 3
              0  ReduceScatter 1  copy              tmp[0] = in[3]
              1  ReduceScatter 1  copy              tmp[3] = in[0]
              2  ReduceScatter 1  copy              tmp[1..3] = in[1..3]
              3  ReduceScatter 1  send              tmp[2..4]                  > 2
              4  ReduceScatter 1  recv-reduce  0 >  tmp[0..2] = x + tmp[0..2]
              5  ReduceScatter 2  send              tmp[1]                     > 1
              6  ReduceScatter 2  recv-reduce  1 >  out[0] = x + tmp[0]
        "#]],
    );
}

#[test]
fn nhr_all_gather() {
    shows(
        "nhr",
        Verb::AllGather,
        expect![[r#"
            AllGather by nhr: 4 ranks, 4 chunks
            rank 0
              0  AllGather 1  copy       out[0] = in[0]
              1  AllGather 1  copy       tmp[0] = in[0]
              2  AllGather 1  send       in[0]                  > 2
              3  AllGather 1  recv  2 >  tmp[1] = x
              4  AllGather 2  send       tmp[0..2]              > 1
              5  AllGather 2  recv  3 >  tmp[2..4] = x
              6  AllGather 2  copy       out[2..4] = tmp[1..3]
              7  AllGather 2  copy       out[1] = tmp[3]
            rank 1
              0  AllGather 1  copy       out[1] = in[0]
              1  AllGather 1  copy       tmp[0] = in[0]
              2  AllGather 1  send       in[0]            > 3
              3  AllGather 1  recv  3 >  tmp[1] = x
              4  AllGather 2  send       tmp[0..2]        > 2
              5  AllGather 2  recv  0 >  tmp[2..4] = x
              6  AllGather 2  copy       out[3] = tmp[1]
              7  AllGather 2  copy       out[0] = tmp[2]
              8  AllGather 2  copy       out[2] = tmp[3]
            rank 2
              0  AllGather 1  copy       out[2] = in[0]
              1  AllGather 1  copy       tmp[0] = in[0]
              2  AllGather 1  send       in[0]                  > 0
              3  AllGather 1  recv  0 >  tmp[1] = x
              4  AllGather 2  send       tmp[0..2]              > 3
              5  AllGather 2  recv  1 >  tmp[2..4] = x
              6  AllGather 2  copy       out[0..2] = tmp[1..3]
              7  AllGather 2  copy       out[3] = tmp[3]
            rank 3
              0  AllGather 1  copy       out[3] = in[0]
              1  AllGather 1  copy       tmp[0] = in[0]
              2  AllGather 1  send       in[0]                  > 1
              3  AllGather 1  recv  1 >  tmp[1] = x
              4  AllGather 2  send       tmp[0..2]              > 0
              5  AllGather 2  recv  2 >  tmp[2..4] = x
              6  AllGather 2  copy       out[1..3] = tmp[1..3]
              7  AllGather 2  copy       out[0] = tmp[3]
        "#]],
    );
}

#[test]
fn pat_reduce_scatter() {
    shows(
        "pat",
        Verb::ReduceScatter,
        expect![[r#"
        ReduceScatter by pat: 4 ranks, 4 chunks
        rank 0
          0  ReduceScatter 1  send                   in[1]                > 1
          1  ReduceScatter 1  recv-reduce       3 >  out[0] = x + in[0]
          2  ReduceScatter 2  send                   in[3]                > 1
          3  ReduceScatter 2  recv-reduce-send  3 >  x + in[2]            > 2
          4  ReduceScatter 3  recv-reduce       2 >  out[0] = x + out[0]
        rank 1
          0  ReduceScatter 1  send                   in[2]                > 2
          1  ReduceScatter 1  recv-reduce       0 >  out[0] = x + in[1]
          2  ReduceScatter 2  send                   in[0]                > 2
          3  ReduceScatter 2  recv-reduce-send  0 >  x + in[3]            > 3
          4  ReduceScatter 3  recv-reduce       3 >  out[0] = x + out[0]
        rank 2
          0  ReduceScatter 1  send                   in[3]                > 3
          1  ReduceScatter 1  recv-reduce       1 >  out[0] = x + in[2]
          2  ReduceScatter 2  send                   in[1]                > 3
          3  ReduceScatter 2  recv-reduce-send  1 >  x + in[0]            > 0
          4  ReduceScatter 3  recv-reduce       0 >  out[0] = x + out[0]
        rank 3
          0  ReduceScatter 1  send                   in[0]                > 0
          1  ReduceScatter 1  recv-reduce       2 >  out[0] = x + in[3]
          2  ReduceScatter 2  send                   in[2]                > 0
          3  ReduceScatter 2  recv-reduce-send  2 >  x + in[1]            > 1
          4  ReduceScatter 3  recv-reduce       1 >  out[0] = x + out[0]
    "#]],
    );
}

#[test]
fn pat_all_gather() {
    shows(
        "pat",
        Verb::AllGather,
        expect![[r#"
        AllGather by pat: 4 ranks, 4 chunks
        rank 0
          0  AllGather 1  copy                 out[0] = in[0]
          1  AllGather 1  send                 in[0]           > 2
          2  AllGather 1  recv-copy-send  2 >  out[2] = x      > 3
          3  AllGather 2  recv            1 >  out[3] = x
          4  AllGather 3  send                 in[0]           > 3
          5  AllGather 3  recv            1 >  out[1] = x
        rank 1
          0  AllGather 1  copy                 out[1] = in[0]
          1  AllGather 1  send                 in[0]           > 3
          2  AllGather 1  recv-copy-send  3 >  out[3] = x      > 0
          3  AllGather 2  recv            2 >  out[0] = x
          4  AllGather 3  send                 in[0]           > 0
          5  AllGather 3  recv            2 >  out[2] = x
        rank 2
          0  AllGather 1  copy                 out[2] = in[0]
          1  AllGather 1  send                 in[0]           > 0
          2  AllGather 1  recv-copy-send  0 >  out[0] = x      > 1
          3  AllGather 2  recv            3 >  out[1] = x
          4  AllGather 3  send                 in[0]           > 1
          5  AllGather 3  recv            3 >  out[3] = x
        rank 3
          0  AllGather 1  copy                 out[3] = in[0]
          1  AllGather 1  send                 in[0]           > 1
          2  AllGather 1  recv-copy-send  1 >  out[1] = x      > 2
          3  AllGather 2  recv            0 >  out[2] = x
          4  AllGather 3  send                 in[0]           > 2
          5  AllGather 3  recv            0 >  out[0] = x
    "#]],
    );
}

#[test]
fn neighbor_exchange_all_gather() {
    shows(
        "neighbor-exchange",
        Verb::AllGather,
        expect![[r#"
        AllGather by neighbor-exchange: 4 ranks, 4 chunks
        rank 0
          0  AllGather 1  copy       out[0] = in[0]
          1  AllGather 1  send       in[0]           > 1
          2  AllGather 1  recv  1 >  out[1] = x
          3  AllGather 2  send       out[0..2]       > 3
          4  AllGather 2  recv  3 >  out[2..4] = x
        rank 1
          0  AllGather 1  copy       out[1] = in[0]
          1  AllGather 1  send       in[0]           > 0
          2  AllGather 1  recv  0 >  out[0] = x
          3  AllGather 2  send       out[0..2]       > 2
          4  AllGather 2  recv  2 >  out[2..4] = x
        rank 2
          0  AllGather 1  copy       out[2] = in[0]
          1  AllGather 1  send       in[0]           > 3
          2  AllGather 1  recv  3 >  out[3] = x
          3  AllGather 2  send       out[2..4]       > 1
          4  AllGather 2  recv  1 >  out[0..2] = x
        rank 3
          0  AllGather 1  copy       out[3] = in[0]
          1  AllGather 1  send       in[0]           > 2
          2  AllGather 1  recv  2 >  out[2] = x
          3  AllGather 2  send       out[2..4]       > 0
          4  AllGather 2  recv  0 >  out[0..2] = x
    "#]],
    );
}
