//! The rules of the house, over the whole tree. Every rule is shown something bad first.
#![cfg(not(target_arch = "wasm32"))]

use std::fs;
use std::path::{Path, PathBuf};

/// Columns of a line of code.
const COLUMNS: usize = 100;
/// Lines of a source file: beyond that it is two files.
const LINES: usize = 400;
/// Bytes of any file.
const BYTES: usize = 4 << 20;

/// Folders that are made, not written; any of them may be a link to one elsewhere.
const MADE: [&str; 7] = [".git", ".tools", "dist", "node_modules", "out", "target", "pkg"];

/// A rule: which files it is for, and what it finds wrong with a text.
struct Rule {
    name: &'static str,
    applies: fn(path: &str) -> bool,
    complaint: fn(text: &str) -> Option<String>,
    /// Texts that must be found wrong.
    bad: &'static [&'static str],
    /// A text that must not.
    good: &'static str,
}

/// The rules. Forbidden words are cut in two, or they would be found here.
const RULES: &[Rule] = &[
    Rule {
        name: "lines end before column 101",
        // Snapshots hold the page's sentences, and schedules, as they are.
        applies: |path| {
            is_code(path)
                && !path.ends_with(".json")
                && !path.ends_with("/snapshots.rs")
                && !path.starts_with("tests/schedules/")
        },
        complaint: |text| {
            let long = |line: &&str| line.chars().count() > COLUMNS;
            text.lines().find(long).map(str::to_string)
        },
        bad: &["xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\
                xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"],
        good: "⌈log₂n⌉\n",
    },
    Rule {
        name: "a source file has at most 400 lines",
        applies: |path| path.starts_with("src/"),
        complaint: |text| {
            let lines = text.lines().count();
            (lines > LINES).then(|| format!("{lines} lines"))
        },
        bad: &[],
        good: "one\ntwo\n",
    },
    Rule {
        name: "the engine knows no browser, clock, thread, runtime or page",
        applies: |path| path.starts_with("src/engine/"),
        complaint: |text| {
            any_of(text, &["web_sys", "js_sys", "wasm_bindgen", "std::time", "std::thread"])
                .or_else(|| any_of(text, &["std::fs", "std::net", "crate::runtime", "crate::ui"]))
        },
        bad: &["use std::time::Instant;\n", "use crate::ui::text;\n", "x: web_sys::Node,\n"],
        good: "use crate::engine::rank::Machine; // timeless\n",
    },
    Rule {
        name: "the page never talks to a worker",
        applies: |path| path.starts_with("src/ui"),
        complaint: |text| imports(text, "Worker"),
        bad: &["use web_sys::{\n    Event, Worker,\n};\n", "web_sys::Worker::new(url)\n"],
        good: "use web_sys::{Event, WorkerOptions};\nlet words = \"a Web Worker\";\n",
    },
    Rule {
        name: "the runtime never draws",
        applies: |path| path.starts_with("src/runtime"),
        complaint: |text| any_of(text, &["crate::ui", "yew::"]),
        bad: &["use crate::ui::app;\n", "use yew::prelude::*;\n"],
        good: "use crate::engine::trace::Event;\n",
    },
    Rule {
        name: "nothing is left for later",
        applies: |_| true,
        complaint: |text| {
            any_of(text, &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("db", "g!(")])
                .or_else(|| any_of(text, &[concat!("to", "do!("), concat!("unimple", "mented!(")]))
        },
        bad: &[
            concat!("// TO", "DO: later\n"),
            concat!("db", "g!(x);\n"),
            concat!("to", "do!()\n"),
        ],
        good: "A list of things.\n",
    },
    Rule {
        name: "no path of one machine",
        applies: |_| true,
        complaint: |text| {
            any_of(text, &[concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/tm", "p/")])
        },
        bad: &[concat!("cd /wo", "rk/main\n"), concat!("LOG=/tm", "p/log\n")],
        good: "log=$(mktemp)\n",
    },
    Rule {
        name: "no host of a registry",
        applies: |_| true,
        complaint: |text| {
            let npm = concat!("registry.", "npmjs");
            any_of(text, &[npm, concat!("static.", "crates"), concat!("index.", "crates")])
        },
        bad: &[concat!("\"resolved\": \"https://registry.", "npmjs.org/x\"\n")],
        good: "A tool from crates.io.\n",
    },
    Rule {
        name: "the last line ends",
        applies: |_| true,
        complaint: |text| {
            let fine = text.is_empty() || text.ends_with('\n');
            (!fine).then(|| text.lines().last().unwrap_or_default().to_string())
        },
        bad: &["no newline"],
        good: "newline\n",
    },
];

fn is_code(path: &str) -> bool {
    ["src/", "tests/", "examples/", "benches/", "scripts/"].iter().any(|d| path.starts_with(d))
}

/// The line that holds one of `words`.
fn any_of(text: &str, words: &[&str]) -> Option<String> {
    text.lines().find(|line| words.iter().any(|word| line.contains(word))).map(str::to_string)
}

/// The place where `name` of the browser's own names is used: by its path, or out of a list.
fn imports(text: &str, name: &str) -> Option<String> {
    let mut uses = text.split("web_sys::").skip(1);
    let taken = |rest: &&str| {
        let list = rest.strip_prefix('{').and_then(|rest| rest.split('}').next());
        let names = list.unwrap_or(rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or(""));
        names.split(|c: char| !c.is_alphanumeric()).any(|word| word == name)
    };
    uses.find(taken).map(|rest| rest.lines().next().unwrap_or_default().to_string())
}

/// Every file that people write, relative to the root.
fn files(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![root.to_path_buf()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).expect("a folder can be read").flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let kind = entry.file_type().expect("a file has a type");
            if MADE.iter().any(|made| name == *made) {
                continue;
            }
            if kind.is_dir() {
                pending.push(path);
            } else if kind.is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_rule_finds_what_is_bad_and_lets_pass_what_is_good() {
    for rule in RULES {
        for bad in rule.bad {
            assert!((rule.complaint)(bad).is_some(), "{}: {bad:?} passes", rule.name);
        }
        assert_eq!((rule.complaint)(rule.good), None, "{}", rule.name);
    }
    let lines = RULES.iter().find(|rule| rule.name.contains("400 lines"));
    let complaint = lines.expect("there is such a rule").complaint;
    assert!(complaint(&"x\n".repeat(LINES + 1)).is_some());
    assert!(complaint(&"x\n".repeat(LINES)).is_none());
}

#[test]
fn the_tree_keeps_the_rules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut complaints, mut seen) = (Vec::new(), 0);
    for file in files(root) {
        let path = file.strip_prefix(root).expect("it lies below the root");
        let path = path.to_string_lossy().replace('\\', "/");
        let bytes = fs::read(&file).expect("a file can be read");
        if bytes.len() >= BYTES {
            complaints.push(format!("{path}: {} bytes are too many", bytes.len()));
        }
        // What is not text has no lines to look at.
        let Ok(text) = String::from_utf8(bytes) else { continue };
        seen += 1;
        for rule in RULES.iter().filter(|rule| (rule.applies)(&path)) {
            let complaint = (rule.complaint)(&text);
            complaints.extend(complaint.map(|what| format!("{path}: {}: {what}", rule.name)));
        }
    }
    assert!(seen > 50, "only {seen} files were found: the rules were not applied");
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}
