//! Two nodes of two ranks.

use super::shows;
use expect_test::expect;
use ringscope::engine::collective::Verb;

#[test]
fn hierarchical_all_reduce() {
    shows(
        "hierarchical",
        Verb::AllReduce,
        expect![[r#"
    AllReduce by hierarchical: 4 ranks, 4 chunks
    rank 0
      0  ReduceScatter 1  send                        in[2..4]                  > 1  lane 0
      1  ReduceScatter 1  recv-reduce            1 >  tmp[0..2] = x + in[0..2]       lane 0
      2  ReduceScatter 2  send                        tmp[1]                    > 2  lane 1 after 1
      3  ReduceScatter 2  recv-reduce-copy-send  2 >  out[0] = x + tmp[0]       > 2  lane 1 after 1
      4  AllGather 1      recv                   2 >  out[1] = x                     lane 1 after 1
      5  AllGather 2      send                        out[0..2]                 > 1  lane 0 after 4
      6  AllGather 2      recv                   1 >  out[2..4] = x                  lane 0
    rank 1
      0  ReduceScatter 1  send                        in[0..2]                  > 0  lane 0
      1  ReduceScatter 1  recv-reduce            0 >  tmp[0..2] = x + in[2..4]       lane 0
      2  ReduceScatter 2  send                        tmp[1]                    > 3  lane 1 after 1
      3  ReduceScatter 2  recv-reduce-copy-send  3 >  out[2] = x + tmp[0]       > 3  lane 1 after 1
      4  AllGather 1      recv                   3 >  out[3] = x                     lane 1 after 1
      5  AllGather 2      send                        out[2..4]                 > 0  lane 0 after 4
      6  AllGather 2      recv                   0 >  out[0..2] = x                  lane 0
    rank 2
      0  ReduceScatter 1  send                        in[2..4]                  > 3  lane 0
      1  ReduceScatter 1  recv-reduce            3 >  tmp[0..2] = x + in[0..2]       lane 0
      2  ReduceScatter 2  send                        tmp[0]                    > 0  lane 1 after 1
      3  ReduceScatter 2  recv-reduce-copy-send  0 >  out[1] = x + tmp[1]       > 0  lane 1 after 1
      4  AllGather 1      recv                   0 >  out[0] = x                     lane 1 after 1
      5  AllGather 2      send                        out[0..2]                 > 3  lane 0 after 4
      6  AllGather 2      recv                   3 >  out[2..4] = x                  lane 0
    rank 3
      0  ReduceScatter 1  send                        in[0..2]                  > 2  lane 0
      1  ReduceScatter 1  recv-reduce            2 >  tmp[0..2] = x + in[2..4]       lane 0
      2  ReduceScatter 2  send                        tmp[0]                    > 1  lane 1 after 1
      3  ReduceScatter 2  recv-reduce-copy-send  1 >  out[3] = x + tmp[1]       > 1  lane 1 after 1
      4  AllGather 1      recv                   1 >  out[2] = x                     lane 1 after 1
      5  AllGather 2      send                        out[2..4]                 > 2  lane 0 after 4
      6  AllGather 2      recv                   2 >  out[0..2] = x                  lane 0
    "#]],
    );
}

#[test]
fn hierarchical_reduce() {
    shows(
        "hierarchical",
        Verb::Reduce,
        expect![[r#"
    Reduce by hierarchical: 4 ranks, root 0, 2 chunks
    rank 0
      0  ReduceScatter 1  send              in[1]                > 1  lane 0
      1  ReduceScatter 1  recv-reduce  1 >  out[0] = x + in[0]        lane 0
      2  Reduce 2         recv-reduce  2 >  out[0] = x + out[0]       lane 1 after 1
      3  Gather 3         recv         1 >  out[1] = x                lane 0
    rank 1
      0  ReduceScatter 1  send              in[0]                > 0  lane 0
      1  ReduceScatter 1  recv-reduce  0 >  tmp[0] = x + in[1]        lane 0
      2  Reduce 2         recv-reduce  3 >  tmp[0] = x + tmp[0]       lane 1 after 1
      3  Gather 3         send              tmp[0]               > 0  lane 0 after 2
    rank 2
      0  ReduceScatter 1  send              in[1]               > 3  lane 0
      1  ReduceScatter 1  recv-reduce  3 >  tmp[0] = x + in[0]       lane 0
      2  Reduce 2         send              tmp[0]              > 0  lane 1 after 1
    rank 3
      0  ReduceScatter 1  send              in[0]               > 2  lane 0
      1  ReduceScatter 1  recv-reduce  2 >  tmp[0] = x + in[1]       lane 0
      2  Reduce 2         send              tmp[0]              > 1  lane 1 after 1
    "#]],
    );
}

#[test]
fn hierarchical_reduce_scatter() {
    shows(
        "hierarchical",
        Verb::ReduceScatter,
        expect![[r#"
    ReduceScatter by hierarchical: 4 ranks, 4 chunks
    rank 0
      0  ReduceScatter 1  send              in[3]                > 1  lane 0
      1  ReduceScatter 1  recv-reduce  1 >  tmp[0] = x + in[2]        lane 0
      2  ReduceScatter 2  send              in[1]                > 1  lane 0
      3  ReduceScatter 2  recv-reduce  1 >  out[0] = x + in[0]        lane 0
      4  ReduceScatter 2  send              tmp[0]               > 2  lane 1 after 1
      5  ReduceScatter 2  recv-reduce  2 >  out[0] = x + out[0]       lane 1 after 3
    rank 1
      0  ReduceScatter 1  send              in[2]                > 0  lane 0
      1  ReduceScatter 1  recv-reduce  0 >  tmp[0] = x + in[3]        lane 0
      2  ReduceScatter 2  send              in[0]                > 0  lane 0
      3  ReduceScatter 2  recv-reduce  0 >  out[0] = x + in[1]        lane 0
      4  ReduceScatter 2  send              tmp[0]               > 3  lane 1 after 1
      5  ReduceScatter 2  recv-reduce  3 >  out[0] = x + out[0]       lane 1 after 3
    rank 2
      0  ReduceScatter 1  send              in[1]                > 3  lane 0
      1  ReduceScatter 1  recv-reduce  3 >  tmp[0] = x + in[0]        lane 0
      2  ReduceScatter 2  send              in[3]                > 3  lane 0
      3  ReduceScatter 2  recv-reduce  3 >  out[0] = x + in[2]        lane 0
      4  ReduceScatter 2  send              tmp[0]               > 0  lane 1 after 1
      5  ReduceScatter 2  recv-reduce  0 >  out[0] = x + out[0]       lane 1 after 3
    rank 3
      0  ReduceScatter 1  send              in[0]                > 2  lane 0
      1  ReduceScatter 1  recv-reduce  2 >  tmp[0] = x + in[1]        lane 0
      2  ReduceScatter 2  send              in[2]                > 2  lane 0
      3  ReduceScatter 2  recv-reduce  2 >  out[0] = x + in[3]        lane 0
      4  ReduceScatter 2  send              tmp[0]               > 1  lane 1 after 1
      5  ReduceScatter 2  recv-reduce  1 >  out[0] = x + out[0]       lane 1 after 3
    "#]],
    );
}

#[test]
fn hierarchical_all_gather() {
    shows(
        "hierarchical",
        Verb::AllGather,
        expect![[r#"
    AllGather by hierarchical: 4 ranks, 4 chunks
    rank 0
      0  AllGather 1  copy       out[0] = in[0]       lane 1
      1  AllGather 1  send       in[0]           > 2  lane 1
      2  AllGather 1  recv  2 >  out[2] = x           lane 1
      3  AllGather 1  send       out[0]          > 1  lane 0 after 0
      4  AllGather 1  recv  1 >  out[1] = x           lane 0
      5  AllGather 2  send       out[2]          > 1  lane 0 after 2
      6  AllGather 2  recv  1 >  out[3] = x           lane 0
    rank 1
      0  AllGather 1  copy       out[1] = in[0]       lane 1
      1  AllGather 1  send       in[0]           > 3  lane 1
      2  AllGather 1  recv  3 >  out[3] = x           lane 1
      3  AllGather 1  send       out[1]          > 0  lane 0 after 0
      4  AllGather 1  recv  0 >  out[0] = x           lane 0
      5  AllGather 2  send       out[3]          > 0  lane 0 after 2
      6  AllGather 2  recv  0 >  out[2] = x           lane 0
    rank 2
      0  AllGather 1  copy       out[2] = in[0]       lane 1
      1  AllGather 1  send       in[0]           > 0  lane 1
      2  AllGather 1  recv  0 >  out[0] = x           lane 1
      3  AllGather 1  send       out[2]          > 3  lane 0 after 0
      4  AllGather 1  recv  3 >  out[3] = x           lane 0
      5  AllGather 2  send       out[0]          > 3  lane 0 after 2
      6  AllGather 2  recv  3 >  out[1] = x           lane 0
    rank 3
      0  AllGather 1  copy       out[3] = in[0]       lane 1
      1  AllGather 1  send       in[0]           > 1  lane 1
      2  AllGather 1  recv  1 >  out[1] = x           lane 1
      3  AllGather 1  send       out[3]          > 2  lane 0 after 0
      4  AllGather 1  recv  2 >  out[2] = x           lane 0
      5  AllGather 2  send       out[1]          > 2  lane 0 after 2
      6  AllGather 2  recv  2 >  out[0] = x           lane 0
    "#]],
    );
}

#[test]
fn hierarchical_gather() {
    shows(
        "hierarchical",
        Verb::Gather,
        expect![[r#"
    Gather by hierarchical: 4 ranks, root 0, 4 chunks
    rank 0
      0  Gather 1  copy       tmp[0] = in[0]   lane 1
      1  Gather 1  recv  2 >  tmp[1] = x       lane 1
      2  Gather 2  recv  1 >  tmp[2..4] = x    lane 0
      3  Gather 2  copy       out[3] = tmp[3]  lane 0
      4  Gather 2  copy       out[1] = tmp[2]  lane 0
      5  Gather 2  copy       out[2] = tmp[1]  lane 0 after 1
      6  Gather 2  copy       out[0] = tmp[0]  lane 0 after 0
    rank 1
      0  Gather 1  copy       tmp[0] = in[0]       lane 1
      1  Gather 1  recv  3 >  tmp[1] = x           lane 1
      2  Gather 2  send       tmp[0..2]       > 0  lane 0 after 1
    rank 2
      0  Gather 1  copy  tmp[0] = in[0]
      1  Gather 1  send  tmp[0]          > 0
    rank 3
      0  Gather 1  copy  tmp[0] = in[0]
      1  Gather 1  send  tmp[0]          > 1
    "#]],
    );
}

#[test]
fn hierarchical_scatter() {
    shows(
        "hierarchical",
        Verb::Scatter,
        expect![[r#"
    Scatter by hierarchical: 4 ranks, root 0, 4 chunks
    rank 0
      0  Scatter 1  copy  tmp[0] = in[0]        lane 0
      1  Scatter 1  copy  tmp[1] = in[2]        lane 0
      2  Scatter 1  copy  tmp[2] = in[1]        lane 0
      3  Scatter 1  copy  tmp[3] = in[3]        lane 0
      4  Scatter 1  send  tmp[2..4]        > 1  lane 0
      5  Scatter 2  send  tmp[1]           > 2  lane 1 after 1
      6  Scatter 2  copy  out[0] = tmp[0]       lane 1 after 0
    rank 1
      0  Scatter 1  recv  0 >  tmp[0..2] = x         lane 0
      1  Scatter 2  send       tmp[1]           > 3  lane 1 after 0
      2  Scatter 2  copy       out[0] = tmp[0]       lane 1 after 0
    rank 2
      0  Scatter 2  recv  0 >  tmp[0] = x
      1  Scatter 2  copy       out[0] = tmp[0]
    rank 3
      0  Scatter 2  recv  1 >  tmp[0] = x
      1  Scatter 2  copy       out[0] = tmp[0]
    "#]],
    );
}

#[test]
fn hierarchical_broadcast() {
    shows(
        "hierarchical",
        Verb::Broadcast,
        expect![[r#"
    Broadcast by hierarchical: 4 ranks, root 0, 2 chunks
    rank 0
      0  Scatter 1    copy       out[0] = in[0]       lane 0
      1  Scatter 1    send       in[1]           > 1  lane 0
      2  Broadcast 2  send       out[0]          > 2  lane 1 after 0
      3  AllGather 3  send       out[0]          > 1  lane 0
      4  AllGather 3  recv  1 >  out[1] = x           lane 0
    rank 1
      0  Scatter 1    recv-copy-send  0 >  out[1] = x  > 0  lane 0
      1  Broadcast 2  send                 out[1]      > 3  lane 1 after 0
      2  AllGather 3  recv            0 >  out[0] = x       lane 0
    rank 2
      0  Broadcast 2  recv  0 >  out[0] = x       lane 1
      1  AllGather 3  send       out[0]      > 3  lane 0 after 0
      2  AllGather 3  recv  3 >  out[1] = x       lane 0
    rank 3
      0  Broadcast 2  recv  1 >  out[1] = x       lane 1
      1  AllGather 3  send       out[1]      > 2  lane 0 after 0
      2  AllGather 3  recv  2 >  out[0] = x       lane 0
    "#]],
    );
}

#[test]
fn hierarchical_all_to_all() {
    shows(
        "hierarchical",
        Verb::AllToAll,
        expect![[r#"
    AllToAll by hierarchical: 4 ranks, 4 chunks
    rank 0
      0  AllToAll 1  copy       tmp[0] = in[2]       lane 0
      1  AllToAll 1  send       in[3]           > 1  lane 0
      2  AllToAll 1  recv  1 >  tmp[1] = x           lane 0
      3  AllToAll 2  copy       out[0] = in[0]       lane 0
      4  AllToAll 2  send       in[1]           > 1  lane 0
      5  AllToAll 2  recv  1 >  out[1] = x           lane 0
      6  AllToAll 2  send       tmp[0..2]       > 2  lane 1 after 2
      7  AllToAll 2  recv  2 >  out[2..4] = x        lane 1
    rank 1
      0  AllToAll 1  copy       tmp[1] = in[3]       lane 0
      1  AllToAll 1  send       in[2]           > 0  lane 0
      2  AllToAll 1  recv  0 >  tmp[0] = x           lane 0
      3  AllToAll 2  copy       out[1] = in[1]       lane 0
      4  AllToAll 2  send       in[0]           > 0  lane 0
      5  AllToAll 2  recv  0 >  out[0] = x           lane 0
      6  AllToAll 2  send       tmp[0..2]       > 3  lane 1 after 2
      7  AllToAll 2  recv  3 >  out[2..4] = x        lane 1
    rank 2
      0  AllToAll 1  copy       tmp[0] = in[0]       lane 0
      1  AllToAll 1  send       in[1]           > 3  lane 0
      2  AllToAll 1  recv  3 >  tmp[1] = x           lane 0
      3  AllToAll 2  copy       out[2] = in[2]       lane 0
      4  AllToAll 2  send       in[3]           > 3  lane 0
      5  AllToAll 2  recv  3 >  out[3] = x           lane 0
      6  AllToAll 2  send       tmp[0..2]       > 0  lane 1 after 2
      7  AllToAll 2  recv  0 >  out[0..2] = x        lane 1
    rank 3
      0  AllToAll 1  copy       tmp[1] = in[1]       lane 0
      1  AllToAll 1  send       in[0]           > 2  lane 0
      2  AllToAll 1  recv  2 >  tmp[0] = x           lane 0
      3  AllToAll 2  copy       out[3] = in[3]       lane 0
      4  AllToAll 2  send       in[2]           > 2  lane 0
      5  AllToAll 2  recv  2 >  out[2] = x           lane 0
      6  AllToAll 2  send       tmp[0..2]       > 1  lane 1 after 2
      7  AllToAll 2  recv  1 >  out[0..2] = x        lane 1
    "#]],
    );
}
