//! Chunks that travel in segments: as many messages, which follow each other.

use super::shows_request;
use expect_test::expect;
use ringscope::engine::algorithm::Request;
use ringscope::engine::collective::Verb;

#[test]
fn chain_broadcast_of_two_chunks_in_two_segments() {
    let request = Request { chunks: 2, segments: 2, ..Request::new(Verb::Broadcast, 3) };
    shows_request(
        "chain",
        request,
        expect![[r#"
        Broadcast by chain: 3 ranks, root 0, 2 chunks in 2 segments each
        rank 0
          0  Broadcast 1  copy  out[0..4] = in[0..4]
          1  Broadcast 1  send  in[0]                 > 1
          2  Broadcast 1  send  in[1]                 > 1
          3  Broadcast 2  send  in[2]                 > 1
          4  Broadcast 2  send  in[3]                 > 1
        rank 1
          0  Broadcast 1  recv-copy-send  0 >  out[0] = x  > 2
          1  Broadcast 1  recv-copy-send  0 >  out[1] = x  > 2
          2  Broadcast 2  recv-copy-send  0 >  out[2] = x  > 2
          3  Broadcast 2  recv-copy-send  0 >  out[3] = x  > 2
        rank 2
          0  Broadcast 2  recv  1 >  out[0] = x
          1  Broadcast 2  recv  1 >  out[1] = x
          2  Broadcast 3  recv  1 >  out[2] = x
          3  Broadcast 3  recv  1 >  out[3] = x
    "#]],
    );
}

/// A message of two blocks becomes two, each as long as a block.
#[test]
fn bruck_all_gather_in_two_segments() {
    let request = Request { segments: 2, ..Request::new(Verb::AllGather, 4) };
    shows_request(
        "bruck",
        request,
        expect![[r#"
        AllGather by bruck: 4 ranks, 4 chunks in 2 segments each
        rank 0
           0  AllGather 1  copy       out[0..2] = in[0..2]
           1  AllGather 1  copy       tmp[0..2] = in[0..2]
           2  AllGather 1  send       in[0]                  > 3
           3  AllGather 1  send       in[1]                  > 3
           4  AllGather 1  recv  1 >  tmp[2] = x
           5  AllGather 1  recv  1 >  tmp[3] = x
           6  AllGather 2  send       tmp[0..2]              > 2
           7  AllGather 2  send       tmp[2..4]              > 2
           8  AllGather 2  recv  2 >  tmp[4..6] = x
           9  AllGather 2  recv  2 >  tmp[6..8] = x
          10  AllGather 2  copy       out[2..8] = tmp[2..8]
        rank 1
           0  AllGather 1  copy       out[2..4] = in[0..2]
           1  AllGather 1  copy       tmp[0..2] = in[0..2]
           2  AllGather 1  send       in[0]                  > 0
           3  AllGather 1  send       in[1]                  > 0
           4  AllGather 1  recv  2 >  tmp[2] = x
           5  AllGather 1  recv  2 >  tmp[3] = x
           6  AllGather 2  send       tmp[0..2]              > 3
           7  AllGather 2  send       tmp[2..4]              > 3
           8  AllGather 2  recv  3 >  tmp[4..6] = x
           9  AllGather 2  recv  3 >  tmp[6..8] = x
          10  AllGather 2  copy       out[4..8] = tmp[2..6]
          11  AllGather 2  copy       out[0..2] = tmp[6..8]
        rank 2
           0  AllGather 1  copy       out[4..6] = in[0..2]
           1  AllGather 1  copy       tmp[0..2] = in[0..2]
           2  AllGather 1  send       in[0]                  > 1
           3  AllGather 1  send       in[1]                  > 1
           4  AllGather 1  recv  3 >  tmp[2] = x
           5  AllGather 1  recv  3 >  tmp[3] = x
           6  AllGather 2  send       tmp[0..2]              > 0
           7  AllGather 2  send       tmp[2..4]              > 0
           8  AllGather 2  recv  0 >  tmp[4..6] = x
           9  AllGather 2  recv  0 >  tmp[6..8] = x
          10  AllGather 2  copy       out[6..8] = tmp[2..4]
          11  AllGather 2  copy       out[0..4] = tmp[4..8]
        rank 3
           0  AllGather 1  copy       out[6..8] = in[0..2]
           1  AllGather 1  copy       tmp[0..2] = in[0..2]
           2  AllGather 1  send       in[0]                  > 2
           3  AllGather 1  send       in[1]                  > 2
           4  AllGather 1  recv  0 >  tmp[2] = x
           5  AllGather 1  recv  0 >  tmp[3] = x
           6  AllGather 2  send       tmp[0..2]              > 1
           7  AllGather 2  send       tmp[2..4]              > 1
           8  AllGather 2  recv  1 >  tmp[4..6] = x
           9  AllGather 2  recv  1 >  tmp[6..8] = x
          10  AllGather 2  copy       out[0..6] = tmp[2..8]
    "#]],
    );
}
