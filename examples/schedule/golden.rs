//! Published figures: what tables call the schedules here, and whether they agree.
//!
//! A file of figures is JSON with two members. `schedules` is a list of objects: `coll`, `algo` and
//! `n` say which schedule, the keys of a summary say what it costs. `nccl_double_tree` gives for
//! each number of nodes, and each of them, its parent and children in both trees (`t0`, `t1`: `up`,
//! `d0`,
//! `d1`, -1 for none).

use ringscope::engine::algorithm::{Fold, Request, Variant, find};
use ringscope::engine::collective::Verb;
use ringscope::engine::cost::summary;
use ringscope::engine::schedule::Schedule;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// Collective and algorithm as tables have them, and what they are here.
struct Name {
    verb: Verb,
    published: &'static str,
    algorithm: &'static str,
    chunks: usize,
    fold: Fold,
    variant: Variant,
}

const fn name(verb: Verb, published: &'static str, algorithm: &'static str) -> Name {
    let (fold, variant) = (Fold::Mpich, Variant::Shift);
    Name { verb, published, algorithm, chunks: 1, fold, variant }
}

const NAMES: [Name; 34] = [
    name(Verb::AllReduce, "ring", "ring"),
    name(Verb::AllReduce, "recursive_doubling", "recursive-doubling"),
    name(Verb::AllReduce, "rabenseifner_mpich", "rabenseifner"),
    Name { fold: Fold::Ompi, ..name(Verb::AllReduce, "rabenseifner_ompi", "rabenseifner") },
    name(Verb::AllReduce, "binomial_reduce+bcast", "tree"),
    name(Verb::AllReduce, "mesh_two_shot", "direct"),
    name(Verb::AllReduce, "one_shot_all_to_all", "one-shot"),
    name(Verb::AllReduce, "double_binary_tree_k1", "double-tree"),
    Name { chunks: 4, ..name(Verb::AllReduce, "double_binary_tree_k4", "double-tree") },
    name(Verb::AllGather, "ring", "ring"),
    name(Verb::AllGather, "recursive_doubling", "recursive-doubling"),
    name(Verb::AllGather, "bruck", "bruck"),
    name(Verb::AllGather, "NHR/NB/sparbit/PAT(full aggregation)", "nhr"),
    name(Verb::AllGather, "neighbor_exchange", "neighbor-exchange"),
    name(Verb::AllGather, "mesh_direct", "direct"),
    name(Verb::ReduceScatter, "ring", "ring"),
    name(Verb::ReduceScatter, "pairwise", "pairwise"),
    name(Verb::ReduceScatter, "mesh_direct", "direct"),
    name(Verb::ReduceScatter, "recursive_halving", "recursive-halving"),
    name(Verb::ReduceScatter, "NHR (reverse of NHR allgather)", "nhr"),
    name(Verb::Broadcast, "binomial", "tree"),
    Name { chunks: 4, ..name(Verb::Broadcast, "chain_k4", "chain") },
    name(Verb::Broadcast, "scatter+ring_allgather", "scatter-allgather"),
    name(Verb::Scatter, "binomial", "tree"),
    name(Verb::Scatter, "linear/star", "linear"),
    name(Verb::Scatter, "ring (store and forward)", "ring"),
    name(Verb::Gather, "binomial", "tree"),
    name(Verb::Gather, "linear/star", "linear"),
    name(Verb::Reduce, "binomial", "tree"),
    Name { chunks: 4, ..name(Verb::Reduce, "chain_k4", "chain") },
    name(Verb::AllToAll, "pairwise_shift", "pairwise"),
    Name { variant: Variant::Xor, ..name(Verb::AllToAll, "pairwise_xor", "pairwise") },
    name(Verb::AllToAll, "bruck", "bruck"),
    name(Verb::Barrier, "dissemination", "dissemination"),
];

impl Name {
    fn request(&self, ranks: usize) -> Request {
        let &Name { verb, chunks, fold, variant, .. } = self;
        Request { chunks, fold, variant, ..Request::new(verb, ranks) }
    }

    fn build(&self, ranks: usize) -> Result<Schedule, String> {
        let algorithm = find(self.algorithm).ok_or(format!("no algorithm {}", self.algorithm))?;
        algorithm.build(&self.request(ranks)).map_err(|refusal| refusal.to_string())
    }
}

/// A line for every name: collective, algorithm as published, and the arguments of this command.
pub fn names() -> String {
    let line = |name: &Name| {
        let mut line = format!("{}\t{}\t{}", name.verb.name(), name.published, name.verb.name());
        line += &format!(" --algorithm {}", name.algorithm);
        if name.chunks > 1 {
            line += &format!(" --chunks {}", name.chunks);
        }
        // Names that tell the folds or variants apart choose one in any case.
        if name.algorithm == "rabenseifner" {
            line += &format!(" --fold {}", name.fold.name());
        }
        if name.algorithm == "pairwise" && name.verb == Verb::AllToAll {
            line += &format!(" --variant {}", name.variant.name());
        }
        line + "\n"
    };
    NAMES.iter().map(line).collect()
}

/// Compares everything in `file`; `Err` lists what does not agree.
pub fn compare(file: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let figures: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let mut faults = Vec::new();
    let schedules = figures["schedules"].as_array().ok_or("`schedules` is not a list.")?;
    for entry in schedules {
        faults.extend(disagreement(entry).err());
    }
    let trees = figures["nccl_double_tree"].as_object();
    let trees = trees.ok_or("`nccl_double_tree` is not an object.")?;
    let mut rows = 0;
    for (nodes, table) in trees {
        let found = nodes.parse().map_err(|_| format!("{nodes} nodes")).and_then(double_tree);
        match (found, table.as_array()) {
            (Ok(found), Some(table)) if published(table) == found => rows += table.len(),
            (Ok(_), _) => faults.push(format!("double trees over {nodes} nodes")),
            (Err(fault), _) => faults.push(fault),
        }
    }
    let count = schedules.len();
    match faults.len() {
        0 => Ok(format!("{count} schedules and {rows} rows of double trees agree.\n")),
        wrong => Err(format!("{wrong} of {count} do not agree:\n{}", faults.join("\n"))),
    }
}

/// Compares one entry, key by key.
fn disagreement(entry: &Value) -> Result<(), String> {
    let (coll, algo, n) = (&entry["coll"], &entry["algo"], entry["n"].as_u64().unwrap_or(0));
    let what = format!("{coll} {algo} n={n}");
    let name = NAMES.iter().find(|name| coll == name.verb.name() && algo == name.published);
    let name = name.ok_or_else(|| format!("{what}: no such name"))?;
    let schedule = name.build(n as usize).map_err(|no| format!("{what}: {no}"))?;
    let found = serde_json::to_value(summary(&schedule)).map_err(|e| e.to_string())?;
    for (key, found) in found.as_object().into_iter().flatten() {
        let published = &entry[key];
        if published != found {
            return Err(format!("{what}: {key} is {found} here, published is {published}"));
        }
    }
    Ok(())
}

/// Edges of both trees, as (tree, child, parent).
type Edges = BTreeSet<(usize, i64, i64)>;

/// The edges as the schedule has them: what each node sends its sum to.
fn double_tree(nodes: usize) -> Result<Edges, String> {
    let schedule = name(Verb::AllReduce, "", "double-tree").build(nodes)?;
    let up = |m: &ringscope::engine::schedule::Message| {
        schedule.programs[m.to].ops[m.recv_op].phase == Verb::Reduce
    };
    let edge = |m: ringscope::engine::schedule::Message| (m.channel, m.from as i64, m.to as i64);
    Ok(schedule.messages().into_iter().filter(up).map(edge).collect())
}

/// The edges as a table has them: both from the child's side and from the parent's.
fn published(table: &[Value]) -> Edges {
    let mut edges = Edges::new();
    for row in table {
        let rank = row["rank"].as_i64().unwrap_or(-1);
        for (tree, key) in ["t0", "t1"].into_iter().enumerate() {
            let peer = |end: &str| row[key][end].as_i64().filter(|&peer| peer >= 0);
            edges.extend(peer("up").map(|parent| (tree, rank, parent)));
            edges
                .extend(["d0", "d1"].into_iter().filter_map(peer).map(|child| (tree, child, rank)));
        }
    }
    edges
}
