//! Rings, trees, stars, everybody to everybody, and what only one algorithm does.

use super::shows;
use expect_test::expect;
use ringscope::engine::collective::Verb;

#[test]
fn ring_all_reduce() {
    shows(
        "ring",
        Verb::AllReduce,
        expect![[r#"
    AllReduce by ring: 4 ranks, 4 chunks
    rank 0
      0  ReduceScatter 1  send                        in[3]               > 1
      1  ReduceScatter 1  recv-reduce-send       3 >  x + in[2]           > 1
      2  ReduceScatter 2  recv-reduce-send       3 >  x + in[1]           > 1
      3  ReduceScatter 3  recv-reduce-copy-send  3 >  out[0] = x + in[0]  > 1
      4  AllGather 1      recv-copy-send         3 >  out[3] = x          > 1
      5  AllGather 2      recv-copy-send         3 >  out[2] = x          > 1
      6  AllGather 3      recv                   3 >  out[1] = x
    rank 1
      0  ReduceScatter 1  send                        in[0]               > 2
      1  ReduceScatter 1  recv-reduce-send       0 >  x + in[3]           > 2
      2  ReduceScatter 2  recv-reduce-send       0 >  x + in[2]           > 2
      3  ReduceScatter 3  recv-reduce-copy-send  0 >  out[1] = x + in[1]  > 2
      4  AllGather 1      recv-copy-send         0 >  out[0] = x          > 2
      5  AllGather 2      recv-copy-send         0 >  out[3] = x          > 2
      6  AllGather 3      recv                   0 >  out[2] = x
    rank 2
      0  ReduceScatter 1  send                        in[1]               > 3
      1  ReduceScatter 1  recv-reduce-send       1 >  x + in[0]           > 3
      2  ReduceScatter 2  recv-reduce-send       1 >  x + in[3]           > 3
      3  ReduceScatter 3  recv-reduce-copy-send  1 >  out[2] = x + in[2]  > 3
      4  AllGather 1      recv-copy-send         1 >  out[1] = x          > 3
      5  AllGather 2      recv-copy-send         1 >  out[0] = x          > 3
      6  AllGather 3      recv                   1 >  out[3] = x
    rank 3
      0  ReduceScatter 1  send                        in[2]               > 0
      1  ReduceScatter 1  recv-reduce-send       2 >  x + in[1]           > 0
      2  ReduceScatter 2  recv-reduce-send       2 >  x + in[0]           > 0
      3  ReduceScatter 3  recv-reduce-copy-send  2 >  out[3] = x + in[3]  > 0
      4  AllGather 1      recv-copy-send         2 >  out[2] = x          > 0
      5  AllGather 2      recv-copy-send         2 >  out[1] = x          > 0
      6  AllGather 3      recv                   2 >  out[0] = x
    "#]],
    );
}

#[test]
fn ring_reduce_scatter() {
    shows(
        "ring",
        Verb::ReduceScatter,
        expect![[r#"
    ReduceScatter by ring: 4 ranks, 4 chunks
    rank 0
      0  ReduceScatter 1  send                   in[3]               > 1
      1  ReduceScatter 1  recv-reduce-send  3 >  x + in[2]           > 1
      2  ReduceScatter 2  recv-reduce-send  3 >  x + in[1]           > 1
      3  ReduceScatter 3  recv-reduce       3 >  out[0] = x + in[0]
    rank 1
      0  ReduceScatter 1  send                   in[0]               > 2
      1  ReduceScatter 1  recv-reduce-send  0 >  x + in[3]           > 2
      2  ReduceScatter 2  recv-reduce-send  0 >  x + in[2]           > 2
      3  ReduceScatter 3  recv-reduce       0 >  out[0] = x + in[1]
    rank 2
      0  ReduceScatter 1  send                   in[1]               > 3
      1  ReduceScatter 1  recv-reduce-send  1 >  x + in[0]           > 3
      2  ReduceScatter 2  recv-reduce-send  1 >  x + in[3]           > 3
      3  ReduceScatter 3  recv-reduce       1 >  out[0] = x + in[2]
    rank 3
      0  ReduceScatter 1  send                   in[2]               > 0
      1  ReduceScatter 1  recv-reduce-send  2 >  x + in[1]           > 0
      2  ReduceScatter 2  recv-reduce-send  2 >  x + in[0]           > 0
      3  ReduceScatter 3  recv-reduce       2 >  out[0] = x + in[3]
    "#]],
    );
}

#[test]
fn ring_all_gather() {
    shows(
        "ring",
        Verb::AllGather,
        expect![[r#"
    AllGather by ring: 4 ranks, 4 chunks
    rank 0
      0  AllGather 1  copy                 out[0] = in[0]
      1  AllGather 1  send                 in[0]           > 1
      2  AllGather 1  recv-copy-send  3 >  out[3] = x      > 1
      3  AllGather 2  recv-copy-send  3 >  out[2] = x      > 1
      4  AllGather 3  recv            3 >  out[1] = x
    rank 1
      0  AllGather 1  copy                 out[1] = in[0]
      1  AllGather 1  send                 in[0]           > 2
      2  AllGather 1  recv-copy-send  0 >  out[0] = x      > 2
      3  AllGather 2  recv-copy-send  0 >  out[3] = x      > 2
      4  AllGather 3  recv            0 >  out[2] = x
    rank 2
      0  AllGather 1  copy                 out[2] = in[0]
      1  AllGather 1  send                 in[0]           > 3
      2  AllGather 1  recv-copy-send  1 >  out[1] = x      > 3
      3  AllGather 2  recv-copy-send  1 >  out[0] = x      > 3
      4  AllGather 3  recv            1 >  out[3] = x
    rank 3
      0  AllGather 1  copy                 out[3] = in[0]
      1  AllGather 1  send                 in[0]           > 0
      2  AllGather 1  recv-copy-send  2 >  out[2] = x      > 0
      3  AllGather 2  recv-copy-send  2 >  out[1] = x      > 0
      4  AllGather 3  recv            2 >  out[0] = x
    "#]],
    );
}

#[test]
fn ring_broadcast() {
    shows(
        "ring",
        Verb::Broadcast,
        expect![[r#"
    Broadcast by ring: 4 ranks, root 0, 1 chunk
    rank 0
      0  Broadcast 1  copy  out[0] = in[0]
      1  Broadcast 1  send  in[0]           > 1
    rank 1
      0  Broadcast 1  recv-copy-send  0 >  out[0] = x  > 2
    rank 2
      0  Broadcast 2  recv-copy-send  1 >  out[0] = x  > 3
    rank 3
      0  Broadcast 3  recv  2 >  out[0] = x
    "#]],
    );
}

#[test]
fn ring_reduce() {
    shows(
        "ring",
        Verb::Reduce,
        expect![[r#"
    Reduce by ring: 4 ranks, root 0, 1 chunk
    rank 0
      0  Reduce 3  recv-reduce  3 >  out[0] = x + in[0]
    rank 1
      0  Reduce 1  send  in[0]  > 2
    rank 2
      0  Reduce 1  recv-reduce-send  1 >  x + in[0]  > 3
    rank 3
      0  Reduce 2  recv-reduce-send  2 >  x + in[0]  > 0
    "#]],
    );
}

#[test]
fn ring_shift() {
    shows(
        "ring",
        Verb::Shift,
        expect![[r#"
    Shift by ring: 4 ranks, 1 chunk
    rank 0
      0  Shift 1  send       in[0]       > 1
      1  Shift 1  recv  3 >  out[0] = x
    rank 1
      0  Shift 1  send       in[0]       > 2
      1  Shift 1  recv  0 >  out[0] = x
    rank 2
      0  Shift 1  send       in[0]       > 3
      1  Shift 1  recv  1 >  out[0] = x
    rank 3
      0  Shift 1  send       in[0]       > 0
      1  Shift 1  recv  2 >  out[0] = x
    "#]],
    );
}

#[test]
fn tree_all_reduce() {
    shows(
        "tree",
        Verb::AllReduce,
        expect![[r#"
    AllReduce by tree: 4 ranks, 1 chunk
    rank 0
      0  Reduce 1     recv-reduce            1 >  out[0] = x + in[0]
      1  Reduce 2     recv-reduce-copy-send  2 >  out[0] = x + out[0]  > 2
      2  Broadcast 2  send                        out[0]               > 1
    rank 1
      0  Reduce 1     send       in[0]       > 0
      1  Broadcast 2  recv  0 >  out[0] = x
    rank 2
      0  Reduce 1     recv-reduce-send  3 >  x + in[0]   > 0
      1  Broadcast 1  recv-copy-send    0 >  out[0] = x  > 3
    rank 3
      0  Reduce 1     send       in[0]       > 2
      1  Broadcast 2  recv  2 >  out[0] = x
    "#]],
    );
}

#[test]
fn tree_reduce() {
    shows(
        "tree",
        Verb::Reduce,
        expect![[r#"
    Reduce by tree: 4 ranks, root 0, 1 chunk
    rank 0
      0  Reduce 1  recv-reduce  1 >  out[0] = x + in[0]
      1  Reduce 2  recv-reduce  2 >  out[0] = x + out[0]
    rank 1
      0  Reduce 1  send  in[0]  > 0
    rank 2
      0  Reduce 1  recv-reduce-send  3 >  x + in[0]  > 0
    rank 3
      0  Reduce 1  send  in[0]  > 2
    "#]],
    );
}

#[test]
fn tree_broadcast() {
    shows(
        "tree",
        Verb::Broadcast,
        expect![[r#"
    Broadcast by tree: 4 ranks, root 0, 1 chunk
    rank 0
      0  Broadcast 1  copy  out[0] = in[0]
      1  Broadcast 1  send  in[0]           > 2
      2  Broadcast 2  send  in[0]           > 1
    rank 1
      0  Broadcast 2  recv  0 >  out[0] = x
    rank 2
      0  Broadcast 1  recv-copy-send  0 >  out[0] = x  > 3
    rank 3
      0  Broadcast 2  recv  2 >  out[0] = x
    "#]],
    );
}

#[test]
fn tree_scatter() {
    shows(
        "tree",
        Verb::Scatter,
        expect![[r#"
    Scatter by tree: 4 ranks, root 0, 4 chunks
    rank 0
      0  Scatter 1  send  in[2..4]        > 2
      1  Scatter 2  send  in[1]           > 1
      2  Scatter 2  copy  out[0] = in[0]
    rank 1
      0  Scatter 2  recv  0 >  tmp[0] = x
      1  Scatter 2  copy       out[0] = tmp[0]
    rank 2
      0  Scatter 1  recv  0 >  tmp[0..2] = x
      1  Scatter 2  send       tmp[1]           > 3
      2  Scatter 2  copy       out[0] = tmp[0]
    rank 3
      0  Scatter 2  recv  2 >  tmp[0] = x
      1  Scatter 2  copy       out[0] = tmp[0]
    "#]],
    );
}

#[test]
fn tree_gather() {
    shows(
        "tree",
        Verb::Gather,
        expect![[r#"
    Gather by tree: 4 ranks, root 0, 4 chunks
    rank 0
      0  Gather 1  copy       out[0] = in[0]
      1  Gather 1  recv  1 >  out[1] = x
      2  Gather 2  recv  2 >  out[2..4] = x
    rank 1
      0  Gather 1  copy  tmp[0] = in[0]
      1  Gather 1  send  tmp[0]          > 0
    rank 2
      0  Gather 1  copy       tmp[0] = in[0]
      1  Gather 1  recv  3 >  tmp[1] = x
      2  Gather 2  send       tmp[0..2]       > 0
    rank 3
      0  Gather 1  copy  tmp[0] = in[0]
      1  Gather 1  send  tmp[0]          > 2
    "#]],
    );
}

#[test]
fn direct_all_reduce() {
    shows(
        "direct",
        Verb::AllReduce,
        expect![[r#"
    AllReduce by direct: 4 ranks, 4 chunks
    rank 0
       0  ReduceScatter 1  send                        in[3]                > 3  lane 2
       1  ReduceScatter 1  recv-reduce            1 >  out[0] = x + in[0]        lane 2
       2  ReduceScatter 1  send                        in[2]                > 2  lane 1
       3  ReduceScatter 1  recv-reduce            2 >  out[0] = x + out[0]       lane 1 after 1
       4  ReduceScatter 1  send                        in[1]                > 1  lane 0
       5  ReduceScatter 1  recv-reduce-copy-send  3 >  out[0] = x + out[0]  > 1  lane 0 after 3
       6  AllGather 1      recv                   3 >  out[3] = x                lane 0 after 0
       7  AllGather 1      send                        out[0]               > 2  lane 1 after 5
       8  AllGather 1      recv                   2 >  out[2] = x                lane 1
       9  AllGather 1      send                        out[0]               > 3  lane 2 after 5
      10  AllGather 1      recv                   1 >  out[1] = x                lane 2 after 4
    rank 1
       0  ReduceScatter 1  send                        in[0]                > 0  lane 2
       1  ReduceScatter 1  recv-reduce            2 >  out[1] = x + in[1]        lane 2
       2  ReduceScatter 1  send                        in[3]                > 3  lane 1
       3  ReduceScatter 1  recv-reduce            3 >  out[1] = x + out[1]       lane 1 after 1
       4  ReduceScatter 1  send                        in[2]                > 2  lane 0
       5  ReduceScatter 1  recv-reduce-copy-send  0 >  out[1] = x + out[1]  > 2  lane 0 after 3
       6  AllGather 1      recv                   0 >  out[0] = x                lane 0 after 0
       7  AllGather 1      send                        out[1]               > 3  lane 1 after 5
       8  AllGather 1      recv                   3 >  out[3] = x                lane 1
       9  AllGather 1      send                        out[1]               > 0  lane 2 after 5
      10  AllGather 1      recv                   2 >  out[2] = x                lane 2 after 4
    rank 2
       0  ReduceScatter 1  send                        in[1]                > 1  lane 2
       1  ReduceScatter 1  recv-reduce            3 >  out[2] = x + in[2]        lane 2
       2  ReduceScatter 1  send                        in[0]                > 0  lane 1
       3  ReduceScatter 1  recv-reduce            0 >  out[2] = x + out[2]       lane 1 after 1
       4  ReduceScatter 1  send                        in[3]                > 3  lane 0
       5  ReduceScatter 1  recv-reduce-copy-send  1 >  out[2] = x + out[2]  > 3  lane 0 after 3
       6  AllGather 1      recv                   1 >  out[1] = x                lane 0 after 0
       7  AllGather 1      send                        out[2]               > 0  lane 1 after 5
       8  AllGather 1      recv                   0 >  out[0] = x                lane 1
       9  AllGather 1      send                        out[2]               > 1  lane 2 after 5
      10  AllGather 1      recv                   3 >  out[3] = x                lane 2 after 4
    rank 3
       0  ReduceScatter 1  send                        in[2]                > 2  lane 2
       1  ReduceScatter 1  recv-reduce            0 >  out[3] = x + in[3]        lane 2
       2  ReduceScatter 1  send                        in[1]                > 1  lane 1
       3  ReduceScatter 1  recv-reduce            1 >  out[3] = x + out[3]       lane 1 after 1
       4  ReduceScatter 1  send                        in[0]                > 0  lane 0
       5  ReduceScatter 1  recv-reduce-copy-send  2 >  out[3] = x + out[3]  > 0  lane 0 after 3
       6  AllGather 1      recv                   2 >  out[2] = x                lane 0 after 0
       7  AllGather 1      send                        out[3]               > 1  lane 1 after 5
       8  AllGather 1      recv                   1 >  out[1] = x                lane 1
       9  AllGather 1      send                        out[3]               > 2  lane 2 after 5
      10  AllGather 1      recv                   0 >  out[0] = x                lane 2 after 4
    "#]],
    );
}

#[test]
fn direct_reduce_scatter() {
    shows(
        "direct",
        Verb::ReduceScatter,
        expect![[r#"
    ReduceScatter by direct: 4 ranks, 4 chunks
    rank 0
      0  ReduceScatter 1  send              in[3]                > 3  lane 2
      1  ReduceScatter 1  recv-reduce  1 >  out[0] = x + in[0]        lane 2
      2  ReduceScatter 1  send              in[2]                > 2  lane 1
      3  ReduceScatter 1  recv-reduce  2 >  out[0] = x + out[0]       lane 1 after 1
      4  ReduceScatter 1  send              in[1]                > 1  lane 0
      5  ReduceScatter 1  recv-reduce  3 >  out[0] = x + out[0]       lane 0 after 3
    rank 1
      0  ReduceScatter 1  send              in[0]                > 0  lane 2
      1  ReduceScatter 1  recv-reduce  2 >  out[0] = x + in[1]        lane 2
      2  ReduceScatter 1  send              in[3]                > 3  lane 1
      3  ReduceScatter 1  recv-reduce  3 >  out[0] = x + out[0]       lane 1 after 1
      4  ReduceScatter 1  send              in[2]                > 2  lane 0
      5  ReduceScatter 1  recv-reduce  0 >  out[0] = x + out[0]       lane 0 after 3
    rank 2
      0  ReduceScatter 1  send              in[1]                > 1  lane 2
      1  ReduceScatter 1  recv-reduce  3 >  out[0] = x + in[2]        lane 2
      2  ReduceScatter 1  send              in[0]                > 0  lane 1
      3  ReduceScatter 1  recv-reduce  0 >  out[0] = x + out[0]       lane 1 after 1
      4  ReduceScatter 1  send              in[3]                > 3  lane 0
      5  ReduceScatter 1  recv-reduce  1 >  out[0] = x + out[0]       lane 0 after 3
    rank 3
      0  ReduceScatter 1  send              in[2]                > 2  lane 2
      1  ReduceScatter 1  recv-reduce  0 >  out[0] = x + in[3]        lane 2
      2  ReduceScatter 1  send              in[1]                > 1  lane 1
      3  ReduceScatter 1  recv-reduce  1 >  out[0] = x + out[0]       lane 1 after 1
      4  ReduceScatter 1  send              in[0]                > 0  lane 0
      5  ReduceScatter 1  recv-reduce  2 >  out[0] = x + out[0]       lane 0 after 3
    "#]],
    );
}

#[test]
fn direct_all_gather() {
    shows(
        "direct",
        Verb::AllGather,
        expect![[r#"
    AllGather by direct: 4 ranks, 4 chunks
    rank 0
      0  AllGather 1  copy       out[0] = in[0]       lane 0
      1  AllGather 1  send       in[0]           > 1  lane 0
      2  AllGather 1  recv  3 >  out[3] = x           lane 0
      3  AllGather 1  send       in[0]           > 2  lane 1 after 0
      4  AllGather 1  recv  2 >  out[2] = x           lane 1
      5  AllGather 1  send       in[0]           > 3  lane 2 after 0
      6  AllGather 1  recv  1 >  out[1] = x           lane 2
    rank 1
      0  AllGather 1  copy       out[1] = in[0]       lane 0
      1  AllGather 1  send       in[0]           > 2  lane 0
      2  AllGather 1  recv  0 >  out[0] = x           lane 0
      3  AllGather 1  send       in[0]           > 3  lane 1 after 0
      4  AllGather 1  recv  3 >  out[3] = x           lane 1
      5  AllGather 1  send       in[0]           > 0  lane 2 after 0
      6  AllGather 1  recv  2 >  out[2] = x           lane 2
    rank 2
      0  AllGather 1  copy       out[2] = in[0]       lane 0
      1  AllGather 1  send       in[0]           > 3  lane 0
      2  AllGather 1  recv  1 >  out[1] = x           lane 0
      3  AllGather 1  send       in[0]           > 0  lane 1 after 0
      4  AllGather 1  recv  0 >  out[0] = x           lane 1
      5  AllGather 1  send       in[0]           > 1  lane 2 after 0
      6  AllGather 1  recv  3 >  out[3] = x           lane 2
    rank 3
      0  AllGather 1  copy       out[3] = in[0]       lane 0
      1  AllGather 1  send       in[0]           > 0  lane 0
      2  AllGather 1  recv  2 >  out[2] = x           lane 0
      3  AllGather 1  send       in[0]           > 1  lane 1 after 0
      4  AllGather 1  recv  1 >  out[1] = x           lane 1
      5  AllGather 1  send       in[0]           > 2  lane 2 after 0
      6  AllGather 1  recv  0 >  out[0] = x           lane 2
    "#]],
    );
}

#[test]
fn direct_all_to_all() {
    shows(
        "direct",
        Verb::AllToAll,
        expect![[r#"
    AllToAll by direct: 4 ranks, 4 chunks
    rank 0
      0  AllToAll 1  copy       out[0] = in[0]       lane 0
      1  AllToAll 1  send       in[1]           > 1  lane 0
      2  AllToAll 1  recv  3 >  out[3] = x           lane 0
      3  AllToAll 1  send       in[2]           > 2  lane 1
      4  AllToAll 1  recv  2 >  out[2] = x           lane 1
      5  AllToAll 1  send       in[3]           > 3  lane 2
      6  AllToAll 1  recv  1 >  out[1] = x           lane 2
    rank 1
      0  AllToAll 1  copy       out[1] = in[1]       lane 0
      1  AllToAll 1  send       in[2]           > 2  lane 0
      2  AllToAll 1  recv  0 >  out[0] = x           lane 0
      3  AllToAll 1  send       in[3]           > 3  lane 1
      4  AllToAll 1  recv  3 >  out[3] = x           lane 1
      5  AllToAll 1  send       in[0]           > 0  lane 2
      6  AllToAll 1  recv  2 >  out[2] = x           lane 2
    rank 2
      0  AllToAll 1  copy       out[2] = in[2]       lane 0
      1  AllToAll 1  send       in[3]           > 3  lane 0
      2  AllToAll 1  recv  1 >  out[1] = x           lane 0
      3  AllToAll 1  send       in[0]           > 0  lane 1
      4  AllToAll 1  recv  0 >  out[0] = x           lane 1
      5  AllToAll 1  send       in[1]           > 1  lane 2
      6  AllToAll 1  recv  3 >  out[3] = x           lane 2
    rank 3
      0  AllToAll 1  copy       out[3] = in[3]       lane 0
      1  AllToAll 1  send       in[0]           > 0  lane 0
      2  AllToAll 1  recv  2 >  out[2] = x           lane 0
      3  AllToAll 1  send       in[1]           > 1  lane 1
      4  AllToAll 1  recv  1 >  out[1] = x           lane 1
      5  AllToAll 1  send       in[2]           > 2  lane 2
      6  AllToAll 1  recv  0 >  out[0] = x           lane 2
    "#]],
    );
}

#[test]
fn linear_scatter() {
    shows(
        "linear",
        Verb::Scatter,
        expect![[r#"
    Scatter by linear: 4 ranks, root 0, 4 chunks
    rank 0
      0  Scatter 1  copy  out[0] = in[0]
      1  Scatter 1  send  in[1]           > 1
      2  Scatter 2  send  in[2]           > 2
      3  Scatter 3  send  in[3]           > 3
    rank 1
      0  Scatter 1  recv  0 >  out[0] = x
    rank 2
      0  Scatter 2  recv  0 >  out[0] = x
    rank 3
      0  Scatter 3  recv  0 >  out[0] = x
    "#]],
    );
}

#[test]
fn linear_gather() {
    shows(
        "linear",
        Verb::Gather,
        expect![[r#"
    Gather by linear: 4 ranks, root 0, 4 chunks
    rank 0
      0  Gather 1  recv  3 >  out[3] = x
      1  Gather 2  recv  2 >  out[2] = x
      2  Gather 3  recv  1 >  out[1] = x
      3  Gather 3  copy       out[0] = in[0]
    rank 1
      0  Gather 3  send  in[0]  > 0
    rank 2
      0  Gather 2  send  in[0]  > 0
    rank 3
      0  Gather 1  send  in[0]  > 0
    "#]],
    );
}

#[test]
fn linear_broadcast() {
    shows(
        "linear",
        Verb::Broadcast,
        expect![[r#"
    Broadcast by linear: 4 ranks, root 0, 1 chunk
    rank 0
      0  Broadcast 1  copy  out[0] = in[0]
      1  Broadcast 1  send  in[0]           > 1
      2  Broadcast 2  send  in[0]           > 2
      3  Broadcast 3  send  in[0]           > 3
    rank 1
      0  Broadcast 1  recv  0 >  out[0] = x
    rank 2
      0  Broadcast 2  recv  0 >  out[0] = x
    rank 3
      0  Broadcast 3  recv  0 >  out[0] = x
    "#]],
    );
}

#[test]
fn linear_reduce() {
    shows(
        "linear",
        Verb::Reduce,
        expect![[r#"
    Reduce by linear: 4 ranks, root 0, 1 chunk
    rank 0
      0  Reduce 1  recv-reduce  3 >  out[0] = x + in[0]
      1  Reduce 2  recv-reduce  2 >  out[0] = x + out[0]
      2  Reduce 3  recv-reduce  1 >  out[0] = x + out[0]
    rank 1
      0  Reduce 3  send  in[0]  > 0
    rank 2
      0  Reduce 2  send  in[0]  > 0
    rank 3
      0  Reduce 1  send  in[0]  > 0
    "#]],
    );
}

#[test]
fn linear_all_reduce() {
    shows(
        "linear",
        Verb::AllReduce,
        expect![[r#"
    AllReduce by linear: 4 ranks, 1 chunk
    rank 0
      0  Reduce 1     recv-reduce            3 >  out[0] = x + in[0]
      1  Reduce 2     recv-reduce            2 >  out[0] = x + out[0]
      2  Reduce 3     recv-reduce-copy-send  1 >  out[0] = x + out[0]  > 1
      3  Broadcast 2  send                        out[0]               > 2
      4  Broadcast 3  send                        out[0]               > 3
    rank 1
      0  Reduce 3     send       in[0]       > 0
      1  Broadcast 1  recv  0 >  out[0] = x
    rank 2
      0  Reduce 2     send       in[0]       > 0
      1  Broadcast 2  recv  0 >  out[0] = x
    rank 3
      0  Reduce 1     send       in[0]       > 0
      1  Broadcast 3  recv  0 >  out[0] = x
    "#]],
    );
}

#[test]
fn pair_send_recv() {
    shows(
        "pair",
        Verb::SendRecv,
        expect![[r#"
    Send/Recv by pair: 4 ranks, root 0, 1 chunk
    rank 0
      0  Send/Recv 1  send  in[0]  > 1
    rank 1
      0  Send/Recv 1  recv  0 >  out[0] = x
    rank 2
    rank 3
    "#]],
    );
}

#[test]
fn dissemination_barrier() {
    shows(
        "dissemination",
        Verb::Barrier,
        expect![[r#"
    Barrier by dissemination: 4 ranks, 1 chunk
    rank 0
      0  Barrier 1  copy                        out[0] = in[0]
      1  Barrier 1  send                        out[0]               > 1
      2  Barrier 1  recv-reduce-copy-send  3 >  out[0] = x + out[0]  > 2
      3  Barrier 2  recv-reduce            2 >  out[0] = x + out[0]
    rank 1
      0  Barrier 1  copy                        out[0] = in[0]
      1  Barrier 1  send                        out[0]               > 2
      2  Barrier 1  recv-reduce-copy-send  0 >  out[0] = x + out[0]  > 3
      3  Barrier 2  recv-reduce            3 >  out[0] = x + out[0]
    rank 2
      0  Barrier 1  copy                        out[0] = in[0]
      1  Barrier 1  send                        out[0]               > 3
      2  Barrier 1  recv-reduce-copy-send  1 >  out[0] = x + out[0]  > 0
      3  Barrier 2  recv-reduce            0 >  out[0] = x + out[0]
    rank 3
      0  Barrier 1  copy                        out[0] = in[0]
      1  Barrier 1  send                        out[0]               > 0
      2  Barrier 1  recv-reduce-copy-send  2 >  out[0] = x + out[0]  > 1
      3  Barrier 2  recv-reduce            1 >  out[0] = x + out[0]
    "#]],
    );
}

#[test]
fn ring_scatter() {
    shows(
        "ring",
        Verb::Scatter,
        expect![[r#"
    Scatter by ring: 4 ranks, root 0, 4 chunks
    rank 0
      0  Scatter 1  copy  out[0] = in[0]
      1  Scatter 1  send  in[3]           > 1
      2  Scatter 2  send  in[2]           > 1
      3  Scatter 3  send  in[1]           > 1
    rank 1
      0  Scatter 1  recv-copy-send  0 >  tmp[0] = x  > 2
      1  Scatter 2  recv-copy-send  0 >  tmp[1] = x  > 2
      2  Scatter 3  recv            0 >  out[0] = x
    rank 2
      0  Scatter 2  recv-copy-send  1 >  tmp[0] = x  > 3
      1  Scatter 3  recv            1 >  out[0] = x
    rank 3
      0  Scatter 3  recv  2 >  out[0] = x
    "#]],
    );
}

#[test]
fn ring_gather() {
    shows(
        "ring",
        Verb::Gather,
        expect![[r#"
    Gather by ring: 4 ranks, root 0, 4 chunks
    rank 0
      0  Gather 1  recv  3 >  out[3] = x
      1  Gather 2  recv  3 >  out[2] = x
      2  Gather 3  recv  3 >  out[1] = x
      3  Gather 3  copy       out[0] = in[0]
    rank 1
      0  Gather 1  send  in[0]  > 2
    rank 2
      0  Gather 1  send                 in[0]       > 3
      1  Gather 1  recv-copy-send  1 >  tmp[0] = x  > 3
    rank 3
      0  Gather 1  send                 in[0]       > 0
      1  Gather 1  recv-copy-send  2 >  tmp[1] = x  > 0
      2  Gather 2  recv-copy-send  2 >  tmp[0] = x  > 0
    "#]],
    );
}

#[test]
fn direct_scatter() {
    shows(
        "direct",
        Verb::Scatter,
        expect![[r#"
    Scatter by direct: 4 ranks, root 0, 4 chunks
    rank 0
      0  Scatter 1  copy  out[0] = in[0]       lane 0
      1  Scatter 1  send  in[1]           > 1  lane 0
      2  Scatter 1  send  in[2]           > 2  lane 1
      3  Scatter 1  send  in[3]           > 3  lane 2
    rank 1
      0  Scatter 1  recv  0 >  out[0] = x
    rank 2
      0  Scatter 1  recv  0 >  out[0] = x
    rank 3
      0  Scatter 1  recv  0 >  out[0] = x
    "#]],
    );
}

#[test]
fn direct_gather() {
    shows(
        "direct",
        Verb::Gather,
        expect![[r#"
    Gather by direct: 4 ranks, root 0, 4 chunks
    rank 0
      0  Gather 1  recv  3 >  out[3] = x      lane 2
      1  Gather 1  recv  2 >  out[2] = x      lane 1
      2  Gather 1  recv  1 >  out[1] = x      lane 0
      3  Gather 1  copy       out[0] = in[0]  lane 0
    rank 1
      0  Gather 1  send  in[0]  > 0
    rank 2
      0  Gather 1  send  in[0]  > 0
    rank 3
      0  Gather 1  send  in[0]  > 0
    "#]],
    );
}
