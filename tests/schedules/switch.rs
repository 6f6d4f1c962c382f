//! A switch that adds and copies.

use super::shows;
use expect_test::expect;
use ringscope::engine::collective::Verb;

#[test]
fn nvls_all_reduce() {
    shows(
        "nvls",
        Verb::AllReduce,
        expect![[r#"
        AllReduce by nvls: 4 ranks, 4 chunks
        rank 0
          0  ReduceScatter 1  send        in[0..4]       > s0  lane 1
          1  ReduceScatter 2  recv  s0 >  out[0] = x           lane 0 after 0
          2  AllGather 1      send        out[0]         > s0  lane 2 after 1
          3  AllGather 2      recv  s0 >  out[0..4] = x        lane 3 after 0, 1, 2
        rank 1
          0  ReduceScatter 1  send        in[0..4]       > s0  lane 1
          1  ReduceScatter 2  recv  s0 >  out[1] = x           lane 0 after 0
          2  AllGather 1      send        out[1]         > s0  lane 2 after 1
          3  AllGather 2      recv  s0 >  out[0..4] = x        lane 3 after 0, 1, 2
        rank 2
          0  ReduceScatter 1  send        in[0..4]       > s0  lane 1
          1  ReduceScatter 2  recv  s0 >  out[2] = x           lane 0 after 0
          2  AllGather 1      send        out[2]         > s0  lane 2 after 1
          3  AllGather 2      recv  s0 >  out[0..4] = x        lane 3 after 0, 1, 2
        rank 3
          0  ReduceScatter 1  send        in[0..4]       > s0  lane 1
          1  ReduceScatter 2  recv  s0 >  out[3] = x           lane 0 after 0
          2  AllGather 1      send        out[3]         > s0  lane 2 after 1
          3  AllGather 2      recv  s0 >  out[0..4] = x        lane 3 after 0, 1, 2
        switch s0
           0  ReduceScatter 1  recv         0 >  tmp[0..4] = x                   lane 4
           1  ReduceScatter 1  recv-reduce  1 >  tmp[0..4] = x + tmp[0..4]       lane 5 after 0
           2  ReduceScatter 1  recv-reduce  2 >  tmp[0..4] = x + tmp[0..4]       lane 6 after 1
           3  ReduceScatter 1  recv-reduce  3 >  tmp[0..4] = x + tmp[0..4]       lane 7 after 2
           4  ReduceScatter 2  send              tmp[0]                     > 0  lane 0 after 3
           5  ReduceScatter 2  send              tmp[1]                     > 1  lane 1 after 3
           6  ReduceScatter 2  send              tmp[2]                     > 2  lane 2 after 3
           7  ReduceScatter 2  send              tmp[3]                     > 3  lane 3 after 3
           8  AllGather 1      recv         0 >  tmp[4] = x                      lane 8
           9  AllGather 1      recv         1 >  tmp[5] = x                      lane 9
          10  AllGather 1      recv         2 >  tmp[6] = x                      lane 10
          11  AllGather 1      recv         3 >  tmp[7] = x                      lane 11
          12  AllGather 2      send              tmp[4..8]                  > 0  lane 12 after 8, 9, 10, 11
          13  AllGather 2      send              tmp[4..8]                  > 1  lane 13 after 8, 9, 10, 11
          14  AllGather 2      send              tmp[4..8]                  > 2  lane 14 after 8, 9, 10, 11
          15  AllGather 2      send              tmp[4..8]                  > 3  lane 15 after 8, 9, 10, 11
    "#]],
    );
}

#[test]
fn nvls_reduce_scatter() {
    shows(
        "nvls",
        Verb::ReduceScatter,
        expect![[r#"
        ReduceScatter by nvls: 4 ranks, 4 chunks
        rank 0
          0  ReduceScatter 1  send        in[0..4]    > s0  lane 1
          1  ReduceScatter 2  recv  s0 >  out[0] = x        lane 0 after 0
        rank 1
          0  ReduceScatter 1  send        in[0..4]    > s0  lane 1
          1  ReduceScatter 2  recv  s0 >  out[0] = x        lane 0 after 0
        rank 2
          0  ReduceScatter 1  send        in[0..4]    > s0  lane 1
          1  ReduceScatter 2  recv  s0 >  out[0] = x        lane 0 after 0
        rank 3
          0  ReduceScatter 1  send        in[0..4]    > s0  lane 1
          1  ReduceScatter 2  recv  s0 >  out[0] = x        lane 0 after 0
        switch s0
          0  ReduceScatter 1  recv         0 >  tmp[0..4] = x                   lane 4
          1  ReduceScatter 1  recv-reduce  1 >  tmp[0..4] = x + tmp[0..4]       lane 5 after 0
          2  ReduceScatter 1  recv-reduce  2 >  tmp[0..4] = x + tmp[0..4]       lane 6 after 1
          3  ReduceScatter 1  recv-reduce  3 >  tmp[0..4] = x + tmp[0..4]       lane 7 after 2
          4  ReduceScatter 2  send              tmp[0]                     > 0  lane 0 after 3
          5  ReduceScatter 2  send              tmp[1]                     > 1  lane 1 after 3
          6  ReduceScatter 2  send              tmp[2]                     > 2  lane 2 after 3
          7  ReduceScatter 2  send              tmp[3]                     > 3  lane 3 after 3
    "#]],
    );
}

#[test]
fn nvls_all_gather() {
    shows(
        "nvls",
        Verb::AllGather,
        expect![[r#"
        AllGather by nvls: 4 ranks, 4 chunks
        rank 0
          0  AllGather 1  send        in[0]          > s0  lane 0
          1  AllGather 2  recv  s0 >  out[0..4] = x        lane 1 after 0
        rank 1
          0  AllGather 1  send        in[0]          > s0  lane 0
          1  AllGather 2  recv  s0 >  out[0..4] = x        lane 1 after 0
        rank 2
          0  AllGather 1  send        in[0]          > s0  lane 0
          1  AllGather 2  recv  s0 >  out[0..4] = x        lane 1 after 0
        rank 3
          0  AllGather 1  send        in[0]          > s0  lane 0
          1  AllGather 2  recv  s0 >  out[0..4] = x        lane 1 after 0
        switch s0
          0  AllGather 1  recv  0 >  tmp[0] = x       lane 0
          1  AllGather 1  recv  1 >  tmp[1] = x       lane 1
          2  AllGather 1  recv  2 >  tmp[2] = x       lane 2
          3  AllGather 1  recv  3 >  tmp[3] = x       lane 3
          4  AllGather 2  send       tmp[0..4]   > 0  lane 4 after 0, 1, 2, 3
          5  AllGather 2  send       tmp[0..4]   > 1  lane 5 after 0, 1, 2, 3
          6  AllGather 2  send       tmp[0..4]   > 2  lane 6 after 0, 1, 2, 3
          7  AllGather 2  send       tmp[0..4]   > 3  lane 7 after 0, 1, 2, 3
    "#]],
    );
}
