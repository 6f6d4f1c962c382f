//! The verbs with one sender and one receiver.

use super::{Both, VerbWords};

pub(super) static SEND_RECV: VerbWords = VerbWords {
    does: Both {
        en: "Copies the sender's vector to the next rank. Send and Recv are two calls that must \
             match: one without the other waits.",
        zh: "把发送方的向量复制给下一个 rank。Send 与 Recv 是必须配对的两个调用：缺一个，另一个就一直等。",
    },
    holds: Both {
        en: "The receiver holds the sender's vector; everything else is unchanged.",
        zh: "接收方持有发送方的向量，其余不变。",
    },
    used: Both {
        en: "Pipeline parallelism: activations to the next stage, gradients back. Every \
             collective is made of these.",
        zh: "流水线并行：激活传给下一级，梯度传回上一级。所有集合通信都由它们组成。",
    },
};

pub(super) static SHIFT: VerbWords = VerbWords {
    does: Both {
        en: "All ranks send to the right and receive from the left at the same time. Done n − 1 \
             times, everyone has seen everything.",
        zh: "所有 rank 同时向右发送、从左接收。重复 n − 1 次，每个 rank 就见过了全部数据。",
    },
    holds: Both {
        en: "Rank r holds the vector of rank r − 1; rank 0 that of the last.",
        zh: "rank r 持有 rank r − 1 的向量，rank 0 持有最后一个 rank 的向量。",
    },
    used: Both {
        en: "Ring attention passes keys and values round; halo exchange in simulations; one step \
             of every ring algorithm.",
        zh: "环形注意力（Ring Attention）沿环传递键和值；数值模拟里的边界交换；也是环形算法的一步。",
    },
};
