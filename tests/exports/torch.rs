//! Programs for `torchrun`: Python reads them, and where torch is, they compute what the page says.

use ringscope::ui::export::torch::{Backend, Refusal, Way, script};
use ringscope::ui::scenario::parse;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The interpreter: `PYTHON`, or `python3`.
fn python() -> Command {
    Command::new(std::env::var("PYTHON").unwrap_or("python3".into()))
}

fn written(fragment: &str, backend: Backend, way: Way) -> Result<String, Refusal> {
    let (_, scenario, notices) = parse(fragment);
    assert_eq!(notices, [], "{fragment}");
    let prepared = scenario.prepare().unwrap_or_else(|why| panic!("{fragment}: {why:?}"));
    script(&scenario, &prepared, &format!("https://example.org/#{fragment}"), backend, way)
}

/// Scenarios for `n` ranks: every verb, some algorithms of each kind, types, operators, lengths
/// that the ranks do not divide, roots, and seeded vectors.
fn scenarios(n: usize) -> Vec<String> {
    let last = n - 1;
    let mut all: Vec<String> = [
        "allreduce",
        "allreduce?len=7",
        "allreduce?algo=tree",
        "allreduce?algo=double-tree",
        "allreduce?algo=recursive-doubling",
        "allreduce?algo=rabenseifner",
        "allreduce?algo=direct",
        "allreduce?algo=bidirectional-ring",
        "allreduce?channels=2&len=9",
        "allreduce?chunks=3",
        "allreduce?place=in&len=5",
        "allreduce?type=f16&op=mean",
        "allreduce?type=bf16&op=mean-pre",
        "allreduce?type=f16&acc=f32",
        "allreduce?type=bf16&acc=f32&op=mean",
        "allreduce?type=i8",
        "allreduce?type=i32&op=mean",
        "allreduce?type=i64&op=product",
        "allreduce?type=f64&op=max",
        "allreduce?type=u8&op=min",
        "allreduce?type=fp8-e4m3",
        "allreduce?type=fp8-e5m2&op=mean",
        "allreduce?size=64KiB",
        "allreduce?size=30KB&type=bf16&op=mean",
        "allreduce?size=4KiB&type=i64",
        "allreduce?size=4KiB&type=i8&op=max",
        "allreduce?size=1KiB&type=f64&op=product",
        "reduce",
        "reduce?algo=chain&root=1&len=6",
        "reducescatter",
        "reducescatter?len=11",
        "reducescatter?algo=pairwise&type=f16",
        "reducescatter?size=10KB",
        "allgather",
        "allgather?algo=bruck&len=10",
        "allgather?type=fp8-e4m3",
        "allgather?algo=direct&size=4KiB",
        "gather?root=1",
        "gather?algo=tree&len=9",
        "scatter?root=1",
        "scatter?algo=tree&size=4KiB",
        "broadcast",
        "broadcast?algo=tree&root=1",
        "broadcast?algo=scatter-allgather&len=8",
        "alltoall",
        "alltoall?algo=bruck&len=8",
        "alltoall?size=8KiB&type=i32",
        "sendrecv",
        "shift",
        "shift?len=5&type=f16",
        "barrier",
        "barrier?algo=dissemination",
    ]
    .map(String::from)
    .into();
    all.push(format!("sendrecv?root={last}&len=3"));
    let with = |fragment: String| {
        let mark = if fragment.contains('?') { '&' } else { '?' };
        format!("/{fragment}{mark}n={n}")
    };
    all.into_iter().map(with).collect()
}

/// The programs of all scenarios for `n` ranks, in a folder of their own, and how many there are.
fn folder(n: usize) -> (PathBuf, usize) {
    let folder = std::env::temp_dir().join(format!("ringscope-torch-{}-{n}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the programs");
    let mut count = 0;
    for (index, fragment) in scenarios(n).iter().enumerate() {
        for (way, name) in [(Way::Library, "call"), (Way::Schedule, "schedule")] {
            let Ok(text) = written(fragment, Backend::Gloo, way) else { continue };
            let kind = fragment.trim_matches('/').replace(['?', '&', '=', '/'], "-");
            let file = folder.join(format!("{index:02}-{kind}-{name}.py"));
            std::fs::write(file, text).expect("a program");
            count += 1;
        }
    }
    (folder, count)
}

#[test]
fn python_reads_every_program() {
    if python().arg("--version").output().is_err() {
        eprintln!("Python is not here: nothing was read");
        return;
    }
    let (folder, count) = folder(3);
    assert!(count > 90, "{count} programs");
    let output = python().args(["-m", "compileall", "-q"]).arg(&folder).output();
    let output = output.expect("Python runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    std::fs::write(folder.join("broken.py"), "def collective(:\n").expect("a program");
    let broken = python().args(["-m", "compileall", "-q"]).arg(&folder).output();
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert!(output.status.success(), "{said}");
    assert!(!broken.expect("Python runs").status.success(), "a broken program was read");
}

#[test]
fn what_the_library_cannot_do_is_refused() {
    use ringscope::engine::reduce::Dtype;
    let library = |fragment| written(fragment, Backend::Gloo, Way::Library).err();
    let uneven = Refusal::Uneven { elements: 10, ranks: 4 };
    assert_eq!(library("/allgather?len=10"), Some(uneven));
    assert_eq!(library("/allreduce?len=10"), None);
    assert_eq!(library("/allreduce?type=fp8-e4m3"), Some(Refusal::Type(Dtype::E4m3)));
    assert_eq!(library("/allreduce?type=fp8-e4m3&acc=f32"), None);
    assert_eq!(library("/broadcast?type=fp8-e4m3"), None);
    let schedule = |fragment| written(fragment, Backend::Nccl, Way::Schedule).err();
    assert_eq!(schedule("/allgather?len=10"), None);
    assert_eq!(schedule("/allreduce?algo=direct&type=f16&acc=owner"), Some(Refusal::Sums));
}

/// Runs every program of a folder in processes and a group that stay, because starting them takes
/// longer than all the rest.
const HARNESS: &str = r#"
import pathlib, runpy, sys
import torch.distributed as dist
dist.init_process_group("gloo")
dist.init_process_group = lambda *_: None
dist.destroy_process_group = lambda: None
wrong = []
for file in sorted(pathlib.Path(sys.argv[1]).glob("*.py")):
    try:
        runpy.run_path(str(file), run_name="__main__")
    except SystemExit as done:
        if done.code:
            wrong.append(f"{file.name}: {done.code}")
    except Exception as error:
        wrong.append(f"{file.name}: {type(error).__name__}: {error}")
        break
print("WRONG", wrong, flush=True)
sys.exit(1 if wrong else 0)
"#;

fn torchrun(n: usize, program: &Path, arguments: &[&Path]) -> (bool, String) {
    let mut command = python();
    command.args(["-m", "torch.distributed.run", "--standalone", "--nproc-per-node"]);
    command.arg(n.to_string()).arg(program).args(arguments).env("OMP_NUM_THREADS", "1");
    let output = command.output().expect("Python runs");
    let said =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    (output.status.success(), said.concat())
}

#[test]
#[ignore = "needs torch: PYTHON=... cargo test --test exports -- --ignored"]
fn torch_computes_what_the_page_says() {
    let torch = python().args(["-c", "import torch.distributed"]).status();
    assert!(torch.is_ok_and(|status| status.success()), "torch is not here");
    for n in [2, 3, 4] {
        let (folder, count) = folder(n);
        let harness = folder.with_extension("harness");
        std::fs::write(&harness, HARNESS).expect("the harness");
        let (passed, said) = torchrun(n, &harness, &[&folder]);
        assert!(passed, "{said}");
        let compared = said.matches("elements as expected").count();
        assert_eq!(compared, n * count, "{said}");
        eprintln!("{count} programs on {n} ranks agree");
        std::fs::remove_dir_all(&folder).expect("the folder goes");
    }
}

#[test]
#[ignore = "needs torch: PYTHON=... cargo test --test exports -- --ignored"]
fn a_wrong_result_is_found() {
    let folder = std::env::temp_dir();
    for way in [Way::Library, Way::Schedule] {
        let text = written("/allreduce?n=2&len=4", Backend::Gloo, way).expect("it is not refused");
        let spoiled = text.replacen("EXPECTED = [\n    [", "EXPECTED = [\n    [100 + ", 1);
        let file = folder.join(format!("ringscope-spoiled-{}.py", std::process::id()));
        std::fs::write(&file, spoiled).expect("a program");
        let (passed, said) = torchrun(2, &file, &[]);
        assert!(!passed && said.contains("rank 0: 3 of 4 elements as expected"), "{said}");
        assert!(said.contains("rank 1: 4 of 4 elements as expected"), "{said}");
        std::fs::remove_file(&file).expect("the program goes");
    }
}
