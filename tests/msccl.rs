//! The MSCCL XML form, read back by a program that shares nothing with the engine: it interprets
//! thread blocks as MSCCL's runtime does, on multisets, in random order, and holds the file to the
//! runtime's rules.
#![cfg(not(target_arch = "wasm32"))]

mod common;

use common::{Random, grid};
use ringscope::engine::algorithm::{Request, find};
use ringscope::engine::check::check;
use ringscope::engine::collective::Verb;
use ringscope::engine::schedule::{Inexpressible, narrowed};
use roxmltree::{Document, Node};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Contributions (gpu, chunk of the whole vector), with how often each is in.
type Value = BTreeMap<(usize, usize), usize>;

#[derive(Clone, Debug)]
struct Step {
    kind: String,
    src: (char, usize),
    dst: (char, usize),
    count: usize,
    dep: Option<(usize, usize)>,
    awaited: bool,
}

#[derive(Clone, Debug)]
struct Block {
    send: Option<usize>,
    recv: Option<usize>,
    channel: usize,
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
struct Gpu {
    sizes: [usize; 3],
    blocks: Vec<Block>,
}

#[derive(Clone, Debug)]
struct Algo {
    coll: String,
    chunks: usize,
    in_place: bool,
    gpus: Vec<Gpu>,
}

fn number(node: Node, name: &str) -> i64 {
    let text = node.attribute(name).unwrap_or_else(|| panic!("no {name}"));
    text.parse().unwrap_or_else(|_| panic!("{name} is {text}"))
}

fn peer(node: Node, name: &str) -> Option<usize> {
    usize::try_from(number(node, name)).ok()
}

fn children<'a>(node: Node<'a, 'a>, name: &'static str) -> impl Iterator<Item = Node<'a, 'a>> {
    node.children().filter(move |child| child.has_tag_name(name))
}

fn read(xml: &str) -> Algo {
    let document = Document::parse(xml).expect("well-formed XML");
    let algo = document.root_element();
    let step = |node: Node, at: usize| {
        assert_eq!(number(node, "s") as usize, at, "steps are numbered from 0");
        let place = |buffer, offset| {
            let buffer: &str = node.attribute(buffer).expect("a buffer");
            (buffer.chars().next().expect("a letter"), number(node, offset) as usize)
        };
        Step {
            kind: node.attribute("type").expect("a type").to_string(),
            src: place("srcbuf", "srcoff"),
            dst: place("dstbuf", "dstoff"),
            count: number(node, "cnt") as usize,
            dep: peer(node, "depid").map(|block| (block, number(node, "deps") as usize)),
            awaited: number(node, "hasdep") == 1,
        }
    };
    let block = |node: Node, at: usize| {
        assert_eq!(number(node, "id") as usize, at, "thread blocks are numbered from 0");
        Block {
            send: peer(node, "send"),
            recv: peer(node, "recv"),
            channel: number(node, "chan") as usize,
            steps: node
                .children()
                .filter(|child| child.has_tag_name("step"))
                .enumerate()
                .map(|(at, node)| step(node, at))
                .collect(),
        }
    };
    let gpu = |(at, node): (usize, Node)| {
        assert_eq!(number(node, "id") as usize, at, "gpus are numbered from 0");
        Gpu {
            sizes: ["i_chunks", "o_chunks", "s_chunks"].map(|name| number(node, name) as usize),
            blocks: node
                .children()
                .filter(|child| child.has_tag_name("tb"))
                .enumerate()
                .map(|(at, node)| block(node, at))
                .collect(),
        }
    };
    let gpus: Vec<Gpu> = children(algo, "gpu").enumerate().map(gpu).collect();
    assert_eq!(number(algo, "ngpus") as usize, gpus.len());
    Algo {
        coll: algo.attribute("coll").expect("a collective").to_string(),
        chunks: number(algo, "nchunksperloop") as usize,
        in_place: number(algo, "inplace") == 1,
        gpus,
    }
}

/// The runtime's rules, as far as one file can break them.
fn obeys(algo: &Algo) -> Result<(), String> {
    let mut ends = HashMap::new();
    for (id, gpu) in algo.gpus.iter().enumerate() {
        for (at, block) in gpu.blocks.iter().enumerate() {
            if block.steps.is_empty() || block.steps.len() > 256 {
                return Err(format!("gpu {id} tb {at}: {} steps", block.steps.len()));
            }
            for (sends, peer) in [(true, block.send), (false, block.recv)] {
                let Some(peer) = peer else { continue };
                if peer == id || peer >= algo.gpus.len() {
                    return Err(format!("gpu {id} tb {at}: peer {peer}"));
                }
                if ends.insert((id, peer, block.channel, sends), at).is_some() {
                    return Err(format!("gpu {id}: two thread blocks on one connection"));
                }
            }
            for (s, step) in block.steps.iter().enumerate() {
                let what = format!("gpu {id} tb {at} step {s}");
                let sends = ["s", "rcs", "rrs", "rrcs"].contains(&step.kind.as_str());
                let receives = step.kind.starts_with('r') && step.kind != "re";
                if sends && block.send.is_none() || receives && block.recv.is_none() {
                    return Err(format!("{what}: no peer"));
                }
                let inside = |(buffer, offset): (char, usize)| {
                    let size = gpu.sizes["ios".find(buffer).expect("a buffer")];
                    offset + step.count <= size
                };
                if step.kind == "nop" {
                    let next = block.steps.get(s + 1);
                    if step.dep.is_none() || next.is_none_or(|next| next.dep.is_none()) {
                        return Err(format!("{what}: a nop that carries nothing on"));
                    }
                } else if step.count == 0
                    || step.count >= 72
                    || !inside(step.src)
                    || !inside(step.dst)
                {
                    return Err(format!("{what}: span"));
                }
                if let Some((block, step)) = step.dep {
                    let target = gpu.blocks.get(block).and_then(|b| b.steps.get(step));
                    if block == at || target.is_none_or(|target| !target.awaited) {
                        return Err(format!("{what}: depends on tb {block} step {step}"));
                    }
                }
            }
        }
    }
    Ok(())
}

struct Run<'a> {
    algo: &'a Algo,
    memory: Vec<HashMap<(char, usize), Value>>,
    queues: HashMap<(usize, usize, usize), VecDeque<Vec<Value>>>,
    /// Steps done, by gpu and thread block.
    done: Vec<Vec<usize>>,
}

impl Run<'_> {
    /// Where a chunk lies: in place, input and output are one buffer, at the library's offsets.
    fn place(&self, gpu: usize, (buffer, at): (char, usize)) -> (char, usize) {
        let share = self.algo.chunks / self.algo.gpus.len();
        match (self.algo.in_place, self.algo.coll.as_str(), buffer) {
            (true, "allgather" | "gather", 'i') => ('o', at + gpu * share),
            (true, "reducescatter" | "scatter", 'o') => ('i', at + gpu * share),
            (true, "reducescatter" | "scatter", 'i') => ('i', at),
            (true, _, 'i') => ('o', at),
            _ => (buffer, at),
        }
    }

    fn read(&self, gpu: usize, (buffer, from): (char, usize), count: usize) -> Option<Vec<Value>> {
        let at = |offset| self.memory[gpu].get(&self.place(gpu, (buffer, from + offset))).cloned();
        (0..count).map(at).collect()
    }

    /// Tries one step of a thread block.
    fn step(&mut self, gpu: usize, block: usize) -> Result<bool, String> {
        let done = self.done[gpu][block];
        let algo = self.algo;
        let tb = &algo.gpus[gpu].blocks[block];
        let Some(step) = tb.steps.get(done) else { return Ok(false) };
        if let Some((on, at)) = step.dep
            && self.done[gpu][on] <= at
        {
            return Ok(false);
        }
        let kind = step.kind.as_str();
        let out = tb.send.map(|to| (gpu, to, tb.channel));
        // Two slots a connection, the least that MSCCL's runtime has.
        if ["s", "rcs", "rrs", "rrcs"].contains(&kind)
            && self.queues.get(&out.expect("it has a peer")).map_or(0, VecDeque::len) >= 2
        {
            return Ok(false);
        }
        let mut received = None;
        if kind.starts_with('r') && kind != "re" {
            let key = (tb.recv.expect("it has a peer"), gpu, tb.channel);
            let Some(value) = self.queues.get_mut(&key).and_then(VecDeque::pop_front) else {
                return Ok(false);
            };
            if value.len() != step.count {
                return Err(format!("gpu {gpu} tb {block}: {} chunks arrive", value.len()));
            }
            received = Some(value);
        }
        let what = || format!("gpu {gpu} tb {block} step {done}: reads nothing");
        let plus = |a: Vec<Value>, b: Vec<Value>| -> Vec<Value> {
            let sum = |(mut a, b): (Value, Value)| {
                b.into_iter().for_each(|(who, times)| *a.entry(who).or_default() += times);
                a
            };
            a.into_iter().zip(b).map(sum).collect()
        };
        let value = match kind {
            "nop" => Vec::new(),
            "s" | "cpy" => self.read(gpu, step.src, step.count).ok_or_else(what)?,
            "r" | "rcs" => received.expect("received"),
            "re" => {
                let a = self.read(gpu, step.dst, step.count).ok_or_else(what)?;
                plus(a, self.read(gpu, step.src, step.count).ok_or_else(what)?)
            }
            "rrs" | "rrc" | "rrcs" => {
                let local = self.read(gpu, step.src, step.count).ok_or_else(what)?;
                plus(received.expect("received"), local)
            }
            other => return Err(format!("there is no step {other}")),
        };
        if ["r", "cpy", "re", "rcs", "rrc", "rrcs"].contains(&kind) {
            for (offset, value) in value.iter().enumerate() {
                let place = self.place(gpu, (step.dst.0, step.dst.1 + offset));
                self.memory[gpu].insert(place, value.clone());
            }
        }
        if ["s", "rcs", "rrs", "rrcs"].contains(&kind) {
            self.queues.entry(out.expect("it has a peer")).or_default().push_back(value);
        }
        self.done[gpu][block] += 1;
        Ok(true)
    }
}

/// Runs the file in an order that `seed` chooses, and checks what the outputs hold.
fn accepts(algo: &Algo, root: usize, seed: u64) -> Result<(), String> {
    obeys(algo)?;
    let n = algo.gpus.len();
    let share = algo.chunks / n.max(1);
    let memory = (0..n).map(|_| HashMap::new()).collect();
    let done = algo.gpus.iter().map(|gpu| vec![0; gpu.blocks.len()]).collect();
    let mut run = Run { algo, memory, queues: HashMap::new(), done };
    for gpu in 0..n {
        let first = match algo.coll.as_str() {
            "allgather" | "gather" => gpu * share,
            _ => 0,
        };
        for chunk in 0..algo.gpus[gpu].sizes[0] {
            let place = run.place(gpu, ('i', chunk));
            run.memory[gpu].insert(place, Value::from([((gpu, first + chunk), 1)]));
        }
    }
    let mut random = Random(seed);
    let mut able: Vec<(usize, usize)> = Vec::new();
    let all = || (0..n).flat_map(|gpu| (0..algo.gpus[gpu].blocks.len()).map(move |b| (gpu, b)));
    able.extend(all());
    while !able.is_empty() {
        let index = random.below(able.len());
        let (gpu, block) = able[index];
        if run.step(gpu, block)? {
            able = all().collect();
        } else {
            able.swap_remove(index);
        }
    }
    for (gpu, block) in all() {
        if run.done[gpu][block] < algo.gpus[gpu].blocks[block].steps.len() {
            return Err(format!("gpu {gpu} tb {block} never ends"));
        }
    }
    if run.queues.values().any(|queue| !queue.is_empty()) {
        return Err("a message is left over".to_string());
    }
    for gpu in 0..n {
        let every = |chunk: usize| (0..n).map(|r| ((r, chunk), 1)).collect::<Value>();
        let one = |from: usize, chunk: usize| Value::from([((from, chunk), 1)]);
        let (count, expected): (usize, Box<dyn Fn(usize) -> Value>) = match algo.coll.as_str() {
            "allreduce" => (algo.chunks, Box::new(every)),
            "reduce" if gpu == root => (algo.chunks, Box::new(every)),
            "reducescatter" => (share, Box::new(move |c| every(gpu * share + c))),
            "allgather" => (algo.chunks, Box::new(move |c| one(c / share, c))),
            "gather" if gpu == root => (algo.chunks, Box::new(move |c| one(c / share, c))),
            "scatter" => (share, Box::new(move |c| one(root, gpu * share + c))),
            "broadcast" => (algo.chunks, Box::new(move |c| one(root, c))),
            "alltoall" => (algo.chunks, Box::new(move |c| one(c / share, gpu * share + c % share))),
            "send" if gpu == (root + 1) % n => (algo.chunks, Box::new(move |c| one(root, c))),
            "reduce" | "gather" | "send" => (0, Box::new(every)),
            other => return Err(format!("there is no collective {other}")),
        };
        for chunk in 0..count {
            let found = run.memory[gpu].get(&run.place(gpu, ('o', chunk))).cloned();
            if found.as_ref() != Some(&expected(chunk)) {
                return Err(format!("gpu {gpu} output {chunk}: {found:?}"));
            }
        }
    }
    Ok(())
}

#[test]
fn every_schedule_that_can_be_written_is_accepted_by_another_program() {
    let (mut accepted, mut refused) = (0, 0);
    for case in grid((2..=9).chain([16]), &[1, 2]) {
        let Request { verb, root, ranks, in_place, .. } = case.request;
        // All roots of small groups, and one of the others.
        if ranks > 4 && root > 0 && root != ranks - 1 || ranks > 6 && in_place {
            continue;
        }
        match case.build().msccl_xml() {
            Ok(xml) => {
                let algo = read(&xml);
                for seed in 0..3 {
                    accepts(&algo, root, seed).unwrap_or_else(|no| panic!("{case}: {no}\n{xml}"));
                }
                accepted += 1;
            }
            Err(Inexpressible::Switch) => {
                assert!(case.algorithm.switches > 0, "{case}");
            }
            Err(Inexpressible::Verb(_)) => {
                assert!(matches!(verb, Verb::Shift | Verb::Barrier), "{case}");
            }
            Err(limit) => {
                println!("{case}: {limit}");
                refused += 1;
            }
        }
    }
    println!("{accepted} files accepted, {refused} beyond the runtime's limits");
    assert!(accepted > 400 && refused * 20 < accepted);
}

#[test]
fn narrowed_schedules_still_meet_their_verb() {
    for case in grid([2, 3, 4, 5, 8], &[1, 2]) {
        let narrow = narrowed(&case.build());
        check(&narrow).unwrap_or_else(|fault| panic!("{case}: {fault}\n{narrow}"));
    }
}

#[test]
fn damaged_files_are_rejected() {
    let (mut tried, mut rejected) = (0, 0);
    for (name, verb) in
        [("ring", Verb::AllReduce), ("tree", Verb::AllReduce), ("direct", Verb::ReduceScatter)]
    {
        let algorithm = find(name).expect("it is in the registry");
        let schedule = algorithm.build(&Request::new(verb, 4)).expect("it is not refused");
        let whole = read(&schedule.msccl_xml().expect("it can be written"));
        accepts(&whole, 0, 0).expect("it is right");
        for gpu in 0..4 {
            for block in 0..whole.gpus[gpu].blocks.len() {
                for step in 0..whole.gpus[gpu].blocks[block].steps.len() {
                    let damages: [fn(&mut Step); 3] = [
                        |step| step.kind = step.kind.replace("rrc", "rc").replace("rcs", "s"),
                        |step| step.src.1 ^= 1,
                        |step| step.kind = "nop".to_string(),
                    ];
                    for damage in damages {
                        let mut damaged = whole.clone();
                        let step = &mut damaged.gpus[gpu].blocks[block].steps[step];
                        let before = format!("{step:?}");
                        damage(step);
                        // A plain receive reads no source.
                        let reads = step.kind != "r" && step.kind != "rcs";
                        if reads && before != format!("{step:?}") {
                            tried += 1;
                            rejected += usize::from(accepts(&damaged, 0, 1).is_err());
                        }
                    }
                }
            }
        }
    }
    println!("{rejected} of {tried} damaged files rejected");
    assert_eq!(rejected, tried);
}
