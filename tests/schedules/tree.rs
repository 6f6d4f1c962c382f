//! Pipelined trees and chains, and rings in both directions.

use super::shows;
use expect_test::expect;
use ringscope::engine::collective::Verb;

#[test]
fn double_tree_all_reduce() {
    shows(
        "double-tree",
        Verb::AllReduce,
        expect![[r#"
    AllReduce by double-tree: 4 ranks, 2 chunks
    rank 0
      0  Reduce 2     recv-reduce  2 >  out[0] = x + in[0]       lane 0
      1  Broadcast 1  send              out[0]              > 2  lane 1 after 0
      2  Reduce 1     send              in[1]               > 1  lane 2
      3  Broadcast 2  recv         1 >  out[1] = x               lane 3 after 2
    rank 1
      0  Reduce 1     send                   in[0]               > 2  lane 0
      1  Broadcast 2  recv              2 >  out[0] = x               lane 1 after 0
      2  Reduce 1     recv-reduce       2 >  tmp[0] = x + in[1]       lane 3
      3  Reduce 1     recv-reduce-send  0 >  x + tmp[0]          > 3  lane 2 after 2
      4  Broadcast 1  recv-copy-send    3 >  out[1] = x          > 0  lane 4 after 2
      5  Broadcast 2  send                   out[1]              > 2  lane 5 after 4
    rank 2
      0  Reduce 1     recv-reduce       1 >  tmp[0] = x + in[0]       lane 1
      1  Reduce 1     recv-reduce-send  3 >  x + tmp[0]          > 0  lane 0 after 0
      2  Broadcast 1  recv-copy-send    0 >  out[0] = x          > 3  lane 2 after 0
      3  Broadcast 2  send                   out[0]              > 1  lane 3 after 2
      4  Reduce 1     send                   in[1]               > 1  lane 4
      5  Broadcast 2  recv              1 >  out[1] = x               lane 5 after 4
    rank 3
      0  Reduce 1     send              in[0]               > 2  lane 0
      1  Broadcast 2  recv         2 >  out[0] = x               lane 1 after 0
      2  Reduce 2     recv-reduce  1 >  out[1] = x + in[1]       lane 2
      3  Broadcast 1  send              out[1]              > 1  lane 3 after 2
    "#]],
    );
}

#[test]
fn binary_tree_all_reduce() {
    shows(
        "binary-tree",
        Verb::AllReduce,
        expect![[r#"
    AllReduce by binary-tree: 4 ranks, 1 chunk
    rank 0
      0  Reduce 2     recv-reduce  2 >  out[0] = x + in[0]        lane 1
      1  Reduce 2     recv-reduce  1 >  out[0] = x + out[0]       lane 0 after 0
      2  Broadcast 1  send              out[0]               > 1  lane 2 after 1
      3  Broadcast 1  send              out[0]               > 2  lane 3 after 1
    rank 1
      0  Reduce 1     recv-reduce-send  3 >  x + in[0]   > 0  lane 0
      1  Broadcast 1  recv-copy-send    0 >  out[0] = x  > 3  lane 1 after 0
    rank 2
      0  Reduce 2     send       in[0]       > 0  lane 0
      1  Broadcast 1  recv  0 >  out[0] = x       lane 1 after 0
    rank 3
      0  Reduce 1     send       in[0]       > 1  lane 0
      1  Broadcast 2  recv  1 >  out[0] = x       lane 1 after 0
    "#]],
    );
}

#[test]
fn binary_tree_reduce() {
    shows(
        "binary-tree",
        Verb::Reduce,
        expect![[r#"
    Reduce by binary-tree: 4 ranks, root 0, 1 chunk
    rank 0
      0  Reduce 2  recv-reduce  2 >  out[0] = x + in[0]   lane 1
      1  Reduce 2  recv-reduce  1 >  out[0] = x + out[0]  lane 0 after 0
    rank 1
      0  Reduce 1  recv-reduce-send  3 >  x + in[0]  > 0
    rank 2
      0  Reduce 2  send  in[0]  > 0
    rank 3
      0  Reduce 1  send  in[0]  > 1
    "#]],
    );
}

#[test]
fn binary_tree_broadcast() {
    shows(
        "binary-tree",
        Verb::Broadcast,
        expect![[r#"
    Broadcast by binary-tree: 4 ranks, root 0, 1 chunk
    rank 0
      0  Broadcast 1  copy  out[0] = in[0]       lane 0
      1  Broadcast 1  send  in[0]           > 1  lane 0
      2  Broadcast 1  send  in[0]           > 2  lane 1 after 0
    rank 1
      0  Broadcast 1  recv-copy-send  0 >  out[0] = x  > 3
    rank 2
      0  Broadcast 1  recv  0 >  out[0] = x
    rank 3
      0  Broadcast 2  recv  1 >  out[0] = x
    "#]],
    );
}

#[test]
fn chain_all_reduce() {
    shows(
        "chain",
        Verb::AllReduce,
        expect![[r#"
    AllReduce by chain: 4 ranks, 1 chunk
    rank 0
      0  Reduce 3     recv-reduce  1 >  out[0] = x + in[0]       lane 0
      1  Broadcast 1  send              out[0]              > 1  lane 1 after 0
    rank 1
      0  Reduce 2     recv-reduce-send  2 >  x + in[0]   > 0  lane 0
      1  Broadcast 1  recv-copy-send    0 >  out[0] = x  > 2  lane 1 after 0
    rank 2
      0  Reduce 1     recv-reduce-send  3 >  x + in[0]   > 1  lane 0
      1  Broadcast 2  recv-copy-send    1 >  out[0] = x  > 3  lane 1 after 0
    rank 3
      0  Reduce 1     send       in[0]       > 2  lane 0
      1  Broadcast 3  recv  2 >  out[0] = x       lane 1 after 0
    "#]],
    );
}

#[test]
fn chain_reduce() {
    shows(
        "chain",
        Verb::Reduce,
        expect![[r#"
    Reduce by chain: 4 ranks, root 0, 1 chunk
    rank 0
      0  Reduce 3  recv-reduce  1 >  out[0] = x + in[0]
    rank 1
      0  Reduce 2  recv-reduce-send  2 >  x + in[0]  > 0
    rank 2
      0  Reduce 1  recv-reduce-send  3 >  x + in[0]  > 1
    rank 3
      0  Reduce 1  send  in[0]  > 2
    "#]],
    );
}

#[test]
fn chain_broadcast() {
    shows(
        "chain",
        Verb::Broadcast,
        expect![[r#"
    Broadcast by chain: 4 ranks, root 0, 1 chunk
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
fn bidirectional_ring_all_reduce() {
    shows(
        "bidirectional-ring",
        Verb::AllReduce,
        expect![[r#"
    AllReduce by bidirectional-ring: 4 ranks, 8 chunks
    rank 0
       0  ReduceScatter 1  send                        in[6]               > 1  lane 0
       1  ReduceScatter 1  recv-reduce-send       3 >  x + in[4]           > 1  lane 0
       2  ReduceScatter 2  recv-reduce-send       3 >  x + in[2]           > 1  lane 0
       3  ReduceScatter 3  recv-reduce-copy-send  3 >  out[0] = x + in[0]  > 1  lane 0
       4  AllGather 1      recv-copy-send         3 >  out[6] = x          > 1  lane 0
       5  AllGather 2      recv-copy-send         3 >  out[4] = x          > 1  lane 0
       6  AllGather 3      recv                   3 >  out[2] = x               lane 0
       7  ReduceScatter 1  send                        in[3]               > 3  lane 1
       8  ReduceScatter 1  recv-reduce-send       1 >  x + in[5]           > 3  lane 1
       9  ReduceScatter 2  recv-reduce-send       1 >  x + in[7]           > 3  lane 1
      10  ReduceScatter 3  recv-reduce-copy-send  1 >  out[1] = x + in[1]  > 3  lane 1
      11  AllGather 1      recv-copy-send         1 >  out[3] = x          > 3  lane 1
      12  AllGather 2      recv-copy-send         1 >  out[5] = x          > 3  lane 1
      13  AllGather 3      recv                   1 >  out[7] = x               lane 1
    rank 1
       0  ReduceScatter 1  send                        in[0]               > 2  lane 0
       1  ReduceScatter 1  recv-reduce-send       0 >  x + in[6]           > 2  lane 0
       2  ReduceScatter 2  recv-reduce-send       0 >  x + in[4]           > 2  lane 0
       3  ReduceScatter 3  recv-reduce-copy-send  0 >  out[2] = x + in[2]  > 2  lane 0
       4  AllGather 1      recv-copy-send         0 >  out[0] = x          > 2  lane 0
       5  AllGather 2      recv-copy-send         0 >  out[6] = x          > 2  lane 0
       6  AllGather 3      recv                   0 >  out[4] = x               lane 0
       7  ReduceScatter 1  send                        in[5]               > 0  lane 1
       8  ReduceScatter 1  recv-reduce-send       2 >  x + in[7]           > 0  lane 1
       9  ReduceScatter 2  recv-reduce-send       2 >  x + in[1]           > 0  lane 1
      10  ReduceScatter 3  recv-reduce-copy-send  2 >  out[3] = x + in[3]  > 0  lane 1
      11  AllGather 1      recv-copy-send         2 >  out[5] = x          > 0  lane 1
      12  AllGather 2      recv-copy-send         2 >  out[7] = x          > 0  lane 1
      13  AllGather 3      recv                   2 >  out[1] = x               lane 1
    rank 2
       0  ReduceScatter 1  send                        in[2]               > 3  lane 0
       1  ReduceScatter 1  recv-reduce-send       1 >  x + in[0]           > 3  lane 0
       2  ReduceScatter 2  recv-reduce-send       1 >  x + in[6]           > 3  lane 0
       3  ReduceScatter 3  recv-reduce-copy-send  1 >  out[4] = x + in[4]  > 3  lane 0
       4  AllGather 1      recv-copy-send         1 >  out[2] = x          > 3  lane 0
       5  AllGather 2      recv-copy-send         1 >  out[0] = x          > 3  lane 0
       6  AllGather 3      recv                   1 >  out[6] = x               lane 0
       7  ReduceScatter 1  send                        in[7]               > 1  lane 1
       8  ReduceScatter 1  recv-reduce-send       3 >  x + in[1]           > 1  lane 1
       9  ReduceScatter 2  recv-reduce-send       3 >  x + in[3]           > 1  lane 1
      10  ReduceScatter 3  recv-reduce-copy-send  3 >  out[5] = x + in[5]  > 1  lane 1
      11  AllGather 1      recv-copy-send         3 >  out[7] = x          > 1  lane 1
      12  AllGather 2      recv-copy-send         3 >  out[1] = x          > 1  lane 1
      13  AllGather 3      recv                   3 >  out[3] = x               lane 1
    rank 3
       0  ReduceScatter 1  send                        in[4]               > 0  lane 0
       1  ReduceScatter 1  recv-reduce-send       2 >  x + in[2]           > 0  lane 0
       2  ReduceScatter 2  recv-reduce-send       2 >  x + in[0]           > 0  lane 0
       3  ReduceScatter 3  recv-reduce-copy-send  2 >  out[6] = x + in[6]  > 0  lane 0
       4  AllGather 1      recv-copy-send         2 >  out[4] = x          > 0  lane 0
       5  AllGather 2      recv-copy-send         2 >  out[2] = x          > 0  lane 0
       6  AllGather 3      recv                   2 >  out[0] = x               lane 0
       7  ReduceScatter 1  send                        in[1]               > 2  lane 1
       8  ReduceScatter 1  recv-reduce-send       0 >  x + in[3]           > 2  lane 1
       9  ReduceScatter 2  recv-reduce-send       0 >  x + in[5]           > 2  lane 1
      10  ReduceScatter 3  recv-reduce-copy-send  0 >  out[7] = x + in[7]  > 2  lane 1
      11  AllGather 1      recv-copy-send         0 >  out[1] = x          > 2  lane 1
      12  AllGather 2      recv-copy-send         0 >  out[3] = x          > 2  lane 1
      13  AllGather 3      recv                   0 >  out[5] = x               lane 1
    "#]],
    );
}

#[test]
fn bidirectional_ring_reduce_scatter() {
    shows(
        "bidirectional-ring",
        Verb::ReduceScatter,
        expect![[r#"
    ReduceScatter by bidirectional-ring: 4 ranks, 8 chunks
    rank 0
      0  ReduceScatter 1  send                   in[6]               > 1  lane 0
      1  ReduceScatter 1  recv-reduce-send  3 >  x + in[4]           > 1  lane 0
      2  ReduceScatter 2  recv-reduce-send  3 >  x + in[2]           > 1  lane 0
      3  ReduceScatter 3  recv-reduce       3 >  out[0] = x + in[0]       lane 0
      4  ReduceScatter 1  send                   in[3]               > 3  lane 1
      5  ReduceScatter 1  recv-reduce-send  1 >  x + in[5]           > 3  lane 1
      6  ReduceScatter 2  recv-reduce-send  1 >  x + in[7]           > 3  lane 1
      7  ReduceScatter 3  recv-reduce       1 >  out[1] = x + in[1]       lane 1
    rank 1
      0  ReduceScatter 1  send                   in[0]               > 2  lane 0
      1  ReduceScatter 1  recv-reduce-send  0 >  x + in[6]           > 2  lane 0
      2  ReduceScatter 2  recv-reduce-send  0 >  x + in[4]           > 2  lane 0
      3  ReduceScatter 3  recv-reduce       0 >  out[0] = x + in[2]       lane 0
      4  ReduceScatter 1  send                   in[5]               > 0  lane 1
      5  ReduceScatter 1  recv-reduce-send  2 >  x + in[7]           > 0  lane 1
      6  ReduceScatter 2  recv-reduce-send  2 >  x + in[1]           > 0  lane 1
      7  ReduceScatter 3  recv-reduce       2 >  out[1] = x + in[3]       lane 1
    rank 2
      0  ReduceScatter 1  send                   in[2]               > 3  lane 0
      1  ReduceScatter 1  recv-reduce-send  1 >  x + in[0]           > 3  lane 0
      2  ReduceScatter 2  recv-reduce-send  1 >  x + in[6]           > 3  lane 0
      3  ReduceScatter 3  recv-reduce       1 >  out[0] = x + in[4]       lane 0
      4  ReduceScatter 1  send                   in[7]               > 1  lane 1
      5  ReduceScatter 1  recv-reduce-send  3 >  x + in[1]           > 1  lane 1
      6  ReduceScatter 2  recv-reduce-send  3 >  x + in[3]           > 1  lane 1
      7  ReduceScatter 3  recv-reduce       3 >  out[1] = x + in[5]       lane 1
    rank 3
      0  ReduceScatter 1  send                   in[4]               > 0  lane 0
      1  ReduceScatter 1  recv-reduce-send  2 >  x + in[2]           > 0  lane 0
      2  ReduceScatter 2  recv-reduce-send  2 >  x + in[0]           > 0  lane 0
      3  ReduceScatter 3  recv-reduce       2 >  out[0] = x + in[6]       lane 0
      4  ReduceScatter 1  send                   in[1]               > 2  lane 1
      5  ReduceScatter 1  recv-reduce-send  0 >  x + in[3]           > 2  lane 1
      6  ReduceScatter 2  recv-reduce-send  0 >  x + in[5]           > 2  lane 1
      7  ReduceScatter 3  recv-reduce       0 >  out[1] = x + in[7]       lane 1
    "#]],
    );
}

#[test]
fn bidirectional_ring_all_gather() {
    shows(
        "bidirectional-ring",
        Verb::AllGather,
        expect![[r#"
    AllGather by bidirectional-ring: 4 ranks, 8 chunks
    rank 0
      0  AllGather 1  copy                 out[0] = in[0]       lane 0
      1  AllGather 1  send                 in[0]           > 1  lane 0
      2  AllGather 1  recv-copy-send  3 >  out[6] = x      > 1  lane 0
      3  AllGather 2  recv-copy-send  3 >  out[4] = x      > 1  lane 0
      4  AllGather 3  recv            3 >  out[2] = x           lane 0
      5  AllGather 1  copy                 out[1] = in[1]       lane 1
      6  AllGather 1  send                 in[1]           > 3  lane 1
      7  AllGather 1  recv-copy-send  1 >  out[3] = x      > 3  lane 1
      8  AllGather 2  recv-copy-send  1 >  out[5] = x      > 3  lane 1
      9  AllGather 3  recv            1 >  out[7] = x           lane 1
    rank 1
      0  AllGather 1  copy                 out[2] = in[0]       lane 0
      1  AllGather 1  send                 in[0]           > 2  lane 0
      2  AllGather 1  recv-copy-send  0 >  out[0] = x      > 2  lane 0
      3  AllGather 2  recv-copy-send  0 >  out[6] = x      > 2  lane 0
      4  AllGather 3  recv            0 >  out[4] = x           lane 0
      5  AllGather 1  copy                 out[3] = in[1]       lane 1
      6  AllGather 1  send                 in[1]           > 0  lane 1
      7  AllGather 1  recv-copy-send  2 >  out[5] = x      > 0  lane 1
      8  AllGather 2  recv-copy-send  2 >  out[7] = x      > 0  lane 1
      9  AllGather 3  recv            2 >  out[1] = x           lane 1
    rank 2
      0  AllGather 1  copy                 out[4] = in[0]       lane 0
      1  AllGather 1  send                 in[0]           > 3  lane 0
      2  AllGather 1  recv-copy-send  1 >  out[2] = x      > 3  lane 0
      3  AllGather 2  recv-copy-send  1 >  out[0] = x      > 3  lane 0
      4  AllGather 3  recv            1 >  out[6] = x           lane 0
      5  AllGather 1  copy                 out[5] = in[1]       lane 1
      6  AllGather 1  send                 in[1]           > 1  lane 1
      7  AllGather 1  recv-copy-send  3 >  out[7] = x      > 1  lane 1
      8  AllGather 2  recv-copy-send  3 >  out[1] = x      > 1  lane 1
      9  AllGather 3  recv            3 >  out[3] = x           lane 1
    rank 3
      0  AllGather 1  copy                 out[6] = in[0]       lane 0
      1  AllGather 1  send                 in[0]           > 0  lane 0
      2  AllGather 1  recv-copy-send  2 >  out[4] = x      > 0  lane 0
      3  AllGather 2  recv-copy-send  2 >  out[2] = x      > 0  lane 0
      4  AllGather 3  recv            2 >  out[0] = x           lane 0
      5  AllGather 1  copy                 out[7] = in[1]       lane 1
      6  AllGather 1  send                 in[1]           > 2  lane 1
      7  AllGather 1  recv-copy-send  0 >  out[1] = x      > 2  lane 1
      8  AllGather 2  recv-copy-send  0 >  out[3] = x      > 2  lane 1
      9  AllGather 3  recv            0 >  out[5] = x           lane 1
    "#]],
    );
}
