//! The verbs that combine: AllReduce, Reduce, ReduceScatter, and Barrier, which combines nothing
//! but arrivals.

use super::{Both, VerbWords};

pub(super) static ALL_REDUCE: VerbWords = VerbWords {
    does: Both {
        en: "Combines the vectors of all ranks element by element (sum, average, maximum…) and \
             gives the result to every rank. It is ReduceScatter followed by AllGather.",
        zh: "把所有 rank 的向量逐元素归约（求和、求平均、取最大值等），并把结果交给每个 rank。\
             它等于先 ReduceScatter 再 AllGather。",
    },
    holds: Both {
        en: "Every rank holds the whole reduced vector.",
        zh: "每个 rank 都持有完整的归约结果。",
    },
    used: Both {
        en: "Data parallelism averages gradients with it; tensor parallelism adds the partial \
             outputs of a layer split by rows.",
        zh: "数据并行用它对梯度求平均；张量并行用它把按行切分的层的部分输出加起来。",
    },
};

pub(super) static REDUCE: VerbWords = VerbWords {
    does: Both {
        en: "Combines the vectors of all ranks element by element and leaves the result on the \
             root alone. It is Broadcast run backwards.",
        zh: "把所有 rank 的向量逐元素归约，结果只留在根 rank 上。它是 Broadcast 的逆过程。",
    },
    holds: Both {
        en: "The root holds the whole reduced vector; the others get nothing.",
        zh: "根 rank 持有完整的归约结果，其余 rank 没有结果。",
    },
    used: Both {
        en: "Loss and metrics for one process that logs; gradients in ZeRO stage 1 and 2, bucket \
             by bucket, to the rank that owns them.",
        zh: "把损失和指标汇总到负责记日志的进程；ZeRO 1、2 阶段按桶把梯度归约到负责它的 rank。",
    },
};

pub(super) static REDUCE_SCATTER: VerbWords = VerbWords {
    does: Both {
        en: "Combines the vectors of all ranks, cuts the result into one block per rank and hands \
             the blocks out. Two things at once, at half the traffic of AllReduce.",
        zh: "归约所有 rank 的向量，把结果按 rank 数切成块分发出去。两件事一次做完，\
             通信量只有 AllReduce 的一半。",
    },
    holds: Both {
        en: "Rank r holds block r of the reduced vector, and only that.",
        zh: "rank r 只持有归约结果的第 r 块。",
    },
    used: Both {
        en: "ZeRO and FSDP: every rank gets the summed gradients of the parameters it owns. \
             Sequence parallelism: after a layer split by rows.",
        zh: "ZeRO 与 FSDP：每个 rank 得到自己所负责参数的梯度之和。序列并行：用在按行切分的层之后。",
    },
};

pub(super) static BARRIER: VerbWords = VerbWords {
    does: Both {
        en: "Moves no data of yours, only small tokens that say who has arrived. No rank leaves \
             before every rank has entered.",
        zh: "不搬运用户数据，只传递表示“已到达”的小令牌。所有 rank 都进入之后，才有 rank 离开。",
    },
    holds: Both {
        en: "Every rank knows that all the others have arrived; buffers are unchanged.",
        zh: "每个 rank 都知道其余 rank 已到达，缓冲区保持不变。",
    },
    used: Both {
        en: "Around timing, checkpoints and file access. Rarely needed for correctness: the other \
             verbs wait for what they need.",
        zh: "用在计时、保存检查点和访问文件的前后。很少为了正确性而用它：其他操作本来就会等待所需的数据。",
    },
};
