//! The verbs that collect blocks or hand them out, unchanged.

use super::{Both, VerbWords};

pub(super) static ALL_GATHER: VerbWords = VerbWords {
    does: Both {
        en: "Each rank contributes one block; all blocks, concatenated in rank order, arrive \
             everywhere. Nothing is computed. It is ReduceScatter run backwards.",
        zh: "每个 rank 提供一块；所有块按 rank 顺序拼接后送到每个 rank。过程中没有计算。\
             它是 ReduceScatter 的逆过程。",
    },
    holds: Both { en: "Every rank holds all blocks.", zh: "每个 rank 都持有全部的块。" },
    used: Both {
        en: "ZeRO-3 and FSDP rebuild a layer's full parameters just before they use it; tensor and \
             sequence parallelism join activations that are split.",
        zh: "ZeRO-3 与 FSDP 在用到某一层之前用它拼出完整参数；张量并行和序列并行用它拼接切分的激活。",
    },
};

pub(super) static GATHER: VerbWords = VerbWords {
    does: Both {
        en: "Each rank contributes one block and the root receives them all. It is Scatter run \
             backwards.",
        zh: "每个 rank 提供一块，全部送到根 rank。它是 Scatter 的逆过程。",
    },
    holds: Both {
        en: "The root holds all blocks; the others get nothing.",
        zh: "根 rank 持有全部的块，其余 rank 没有结果。",
    },
    used: Both {
        en: "Evaluation results and samples for one process that writes them; checkpoints whose \
             parts live on different ranks.",
        zh: "把评测结果或样本收到负责写出的进程；把分散在各 rank 上的检查点收到一处。",
    },
};

pub(super) static SCATTER: VerbWords = VerbWords {
    does: Both {
        en: "Cuts the root's vector into one block per rank and sends block r to rank r.",
        zh: "把根 rank 的向量按 rank 数切块，第 r 块发给 rank r。",
    },
    holds: Both {
        en: "Rank r holds block r of the root's vector.",
        zh: "rank r 持有根 rank 向量的第 r 块。",
    },
    used: Both {
        en: "Handing out a batch or a sharded state that one process has loaded; the first half \
             of a bandwidth-saving Broadcast.",
        zh: "分发由一个进程读入的批次或待分片的状态；也是节省带宽的 Broadcast 的前半部分。",
    },
};

pub(super) static BROADCAST: VerbWords = VerbWords {
    does: Both {
        en: "Copies the root's whole vector to every rank. Nothing is computed.",
        zh: "把根 rank 的完整向量复制到每个 rank。过程中没有计算。",
    },
    holds: Both {
        en: "Every rank holds the root's vector.",
        zh: "每个 rank 都持有根 rank 的向量。",
    },
    used: Both {
        en: "Data parallelism: the same initial parameters and buffers everywhere. Also for a \
             seed, a configuration, or a prompt.",
        zh: "数据并行用它让各 rank 的初始参数和缓冲一致；也用来同步随机种子、配置或提示词。",
    },
};

pub(super) static ALL_TO_ALL: VerbWords = VerbWords {
    does: Both {
        en: "Each rank cuts its vector into one block per rank; block j of rank i becomes block i \
             of rank j. Nothing is computed.",
        zh: "每个 rank 把向量按 rank 数切块；rank i 的第 j 块变成 rank j 的第 i 块。过程中没有计算。",
    },
    holds: Both {
        en: "Rank r holds block r of every rank, in rank order.",
        zh: "rank r 持有每个 rank 的第 r 块，按 rank 顺序排列。",
    },
    used: Both {
        en: "Expert parallelism sends tokens to their experts and back; Ulysses attention switches \
             between a split by sequence and one by heads.",
        zh: "专家并行用它把 token 发往各自的专家再收回；Ulysses 注意力用它在按序列切分与按头切分之间转换。",
    },
};
