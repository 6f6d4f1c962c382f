//! The scenario as a program for `torchrun`, so that people who outgrow the browser repeat it on a
//! cluster: the same inputs, the library's call or this very schedule, and a comparison with what
//! the page expects.
//!
//! The schedule travels as data, like a replay: in every round of the rounds model a rank exchanges
//! what is ready with its peers, in one batch, and then works on what has come. So no rank waits
//! for a message that its peer would send only later, whatever the backend.

mod program;

use crate::engine::collective::{Buffer, Verb};
use crate::engine::memory::Layout;
use crate::engine::oracle::Inputs;
use crate::engine::reduce::plain::{Number, numbers};
use crate::engine::reduce::{Dtype, ReduceOp};
use crate::engine::simulate::simulate;
use crate::ui::scenario::{Prepared, Scenario};
use std::fmt::{Display, Write};

/// What carries the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// Processors.
    Gloo,
    /// GPUs.
    Nccl,
}

impl Backend {
    /// Its name in `init_process_group`.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Gloo => "gloo",
            Backend::Nccl => "nccl",
        }
    }
}

/// Who decides which messages there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The library: one call.
    Library,
    /// The schedule that the page shows.
    Schedule,
}

/// Why there is no such program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The library's call takes blocks of one length, and these elements make none.
    Uneven {
        /// Elements along the dimension that is cut.
        elements: usize,
        /// Blocks they are cut into.
        ranks: usize,
    },
    /// torch.distributed reduces no elements of this type.
    Type(Dtype),
    /// Somebody takes part who is no process, such as a switch.
    Actor,
    /// The owners of chunks keep sums of another type beside their buffers, which the program's
    /// ranks do not have.
    Sums,
}

/// The program.
///
/// # Errors
/// Why there is none; [`Way::Schedule`] can do more.
pub fn script(
    scenario: &Scenario,
    prepared: &Prepared,
    link: &str,
    backend: Backend,
    way: Way,
) -> Result<String, Refusal> {
    let (collective, reduction) = (&prepared.schedule.collective, prepared.run.reduction);
    let ranks = collective.ranks;
    if prepared.schedule.programs.len() > ranks {
        return Err(Refusal::Actor);
    }
    let wire = reduction.wire();
    if way == Way::Schedule && reduction.sums() != wire {
        return Err(Refusal::Sums);
    }
    if way == Way::Library {
        let elements = prepared.run.tensor.shape[prepared.run.tensor.dim];
        if collective.verb.has_blocks() && !elements.is_multiple_of(ranks) {
            return Err(Refusal::Uneven { elements, ranks });
        }
        if collective.verb.reduces() && wire.size_bytes() == 1 && wire.format().is_some() {
            return Err(Refusal::Type(wire));
        }
    }
    let name = format!("{}-{}-{ranks}", collective.verb.name(), scenario.algorithm);
    let how = match way {
        Way::Library => "the call of the library".to_string(),
        Way::Schedule => format!("by {}, message for message", scenario.algorithm),
    };
    let mut text = format!(
        "\"\"\"{} over {ranks} ranks: {how}, written by Ringscope.\n\n{link}\n\n    \
         torchrun --nproc-per-node {ranks} {name}.py\n\nOn several machines add --nnodes and \
         --rdzv-endpoint; RANK and LOCAL_RANK come from torchrun.\n\"\"\"\n\nimport os\nimport \
         time\n\nimport torch\nimport torch.distributed as dist\n\n",
        collective.verb.title()
    );
    constants(&mut text, scenario, prepared, backend, way);
    text.push_str(include_str!("common.py"));
    match way {
        Way::Library => text.push_str(&call(collective.verb, reduction.op)),
        Way::Schedule => {
            program::write(&mut text, prepared);
            text.push_str(include_str!("schedule.py"));
        }
    }
    text.push_str(include_str!("main.py"));
    Ok(text)
}

/// A type as torch calls it.
fn type_name(dtype: Dtype) -> &'static str {
    match dtype {
        Dtype::F32 => "torch.float32",
        Dtype::F64 => "torch.float64",
        Dtype::F16 => "torch.float16",
        Dtype::Bf16 => "torch.bfloat16",
        Dtype::E4m3 => "torch.float8_e4m3fn",
        Dtype::E5m2 => "torch.float8_e5m2",
        Dtype::I8 => "torch.int8",
        Dtype::U8 => "torch.uint8",
        Dtype::I32 => "torch.int32",
        Dtype::I64 => "torch.int64",
    }
}

/// What the rest of the program is about.
fn constants(
    text: &mut String,
    scenario: &Scenario,
    prepared: &Prepared,
    backend: Backend,
    way: Way,
) {
    let Prepared { schedule, run, lengths, .. } = prepared;
    let (c, wire) = (&schedule.collective, run.reduction.wire());
    let mut put = |name: &str, value: &dyn Display| {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{name} = {value}");
    };
    put("RANKS", &c.ranks);
    put("ROOT", &c.root);
    put("BACKEND", &format!("\"{}\"", backend.name()));
    put("DTYPE", &type_name(run.reduction.dtype));
    put("WIRE", &type_name(wire));
    put("OP", &format!("\"{}\"", run.reduction.op.name()));
    put("REDUCES", &python(c.verb.reduces()));
    put("BYTES", &(lengths.total() * run.reduction.dtype.size_bytes()));
    let (over, under) = c.verb.bus_factor(c.ranks);
    put("BUS_FACTOR", &format!("{over} / {under}"));
    let ranges = |rank: usize| {
        let labels = c.input(rank);
        let ends = labels.first().zip(labels.last());
        ends.map_or(0..0, |(&a, &b)| lengths.range(a).start..lengths.range(b).end)
    };
    let held = (0..c.ranks).map(ranges).map(|held| format!("({}, {})", held.start, held.end));
    put("HELD", &list(held));
    let layout = |rank| Layout::new(schedule, rank, lengths, wire);
    let length = |rank| layout(rank).buffer(Buffer::Output).len() / wire.size_bytes();
    put("LENGTHS", &list((0..c.ranks).map(length)));
    let bits = crate::engine::oracle::seeded_bits(run.reduction.dtype);
    put("SEED_BITS", &bits);
    let literals = |bytes: &[u8], dtype| list(numbers(dtype, bytes).into_iter().map(literal));
    match &run.inputs {
        Inputs::Seeded(seed) => {
            put("SEED", seed);
            put("INPUTS", &"None");
            put("EXPECTED", &"None");
        }
        Inputs::Typed(rows) => {
            let outputs = simulate(schedule, run, 0).outputs;
            put("SEED", &"None");
            put("INPUTS", &lines(rows.iter().map(|row| literals(row, run.reduction.dtype))));
            put("EXPECTED", &lines(outputs.iter().map(|row| literals(row, wire))));
        }
    }
    put("SAME_BITS", &python(way == Way::Schedule && matches!(run.inputs, Inputs::Typed(_))));
    let wanted = (0..c.ranks).map(|rank| list(wanted(prepared, rank)));
    put("WANTED", &lines(wanted));
    let _ = scenario;
}

/// Whose inputs make up which elements of a rank's output, stretch by stretch.
fn wanted(prepared: &Prepared, rank: usize) -> Vec<String> {
    let mut stretches: Vec<(Vec<usize>, std::ops::Range<usize>)> = Vec::new();
    for required in prepared.schedule.collective.required(rank) {
        let range = prepared.lengths.range(required.label);
        match stretches.last_mut() {
            Some((from, last)) if *from == required.from && last.end == range.start => {
                last.end = range.end;
            }
            _ => stretches.push((required.from, range)),
        }
    }
    let stretch = |(from, range): (Vec<usize>, std::ops::Range<usize>)| {
        format!("({}, {}, {})", list(from), range.start, range.end)
    };
    stretches.into_iter().map(stretch).collect()
}

fn python(truth: bool) -> &'static str {
    if truth { "True" } else { "False" }
}

/// `[1, 2]`.
fn list(items: impl IntoIterator<Item = impl Display>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    format!("[{}]", items.join(", "))
}

/// The same with an item a line, one for each rank.
fn lines(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| format!("    {item},\n")).collect();
    format!("[\n{}]", items.concat())
}

/// A number so that Python reads the very same.
fn literal(number: Number) -> String {
    match number {
        Number::Int(value) => value.to_string(),
        number => {
            let value = number.to_f64();
            match value {
                _ if value.is_nan() => "float(\"nan\")".to_string(),
                _ if value.is_infinite() && value > 0.0 => "float(\"inf\")".to_string(),
                _ if value.is_infinite() => "-float(\"inf\")".to_string(),
                _ => format!("{value:?}"),
            }
        }
    }
}

/// The library's call.
fn call(verb: Verb, op: ReduceOp) -> String {
    let op = match op {
        ReduceOp::Product => "PRODUCT",
        ReduceOp::Max => "MAX",
        ReduceOp::Min => "MIN",
        // A mean is a sum that is divided before or after: not every backend has an average.
        ReduceOp::Sum | ReduceOp::Mean(_) => "SUM",
    };
    let op = format!("op=dist.ReduceOp.{op}");
    let body: String = match verb {
        Verb::AllReduce => {
            format!("out.copy_(prepare(x))\ndist.all_reduce(out, {op})\nout.copy_(finish(out))")
        }
        Verb::Reduce => format!(
            "total = prepare(x).clone()\ndist.reduce(total, dst=ROOT, {op})\n\
             if rank == ROOT:\n    out.copy_(finish(total))"
        ),
        Verb::ReduceScatter => {
            format!("dist.reduce_scatter_tensor(out, prepare(x), {op})\nout.copy_(finish(out))")
        }
        Verb::AllGather => "dist.all_gather_into_tensor(wire(out), wire(x))".into(),
        Verb::Gather => "parts = list(wire(out).chunk(RANKS)) if rank == ROOT else None\n\
                         dist.gather(wire(x), parts, dst=ROOT)"
            .into(),
        Verb::Scatter => "parts = list(wire(x).chunk(RANKS)) if rank == ROOT else None\n\
                          dist.scatter(wire(out), parts, src=ROOT)"
            .into(),
        Verb::Broadcast => {
            "if rank == ROOT:\n    out.copy_(x)\ndist.broadcast(wire(out), src=ROOT)".into()
        }
        Verb::AllToAll => "dist.all_to_all_single(wire(out), wire(x))".into(),
        Verb::SendRecv => "receiver = (ROOT + 1) % RANKS\n\
                           if RANKS == 1:\n    out.copy_(x)\n\
                           elif rank == ROOT:\n    dist.send(wire(x), dst=receiver)\n\
                           elif rank == receiver:\n    dist.recv(wire(out), src=ROOT)"
            .into(),
        Verb::Shift => "if RANKS == 1:\n    return out.copy_(x)\n\
                        right, left = (rank + 1) % RANKS, (rank - 1) % RANKS\n\
                        send = dist.P2POp(dist.isend, wire(x), right)\n\
                        receive = dist.P2POp(dist.irecv, wire(out), left)\n\
                        for post in dist.batch_isend_irecv([send, receive]):\n    post.wait()"
            .into(),
        // A barrier moves nothing: the token that the page shows stays as it is.
        Verb::Barrier => "dist.barrier()\nout.copy_(x)".into(),
    };
    let body: String = body.lines().map(|line| format!("    {line}\n")).collect();
    format!("\n\ndef collective(rank, x, out):\n    \"\"\"The call itself.\"\"\"\n{body}")
}
