//! What the bench shows: one value, changed by one function.

use super::choice::Choice;
use super::record::Record;
use crate::runtime::outcome::RunFault;
use crate::ui::export::run_file::Unreadable;
use crate::ui::scenario::{Notice, Scenario};
use crate::ui::shared::Shared;
use std::rc::Rc;
use yew::Reducible;

/// Something the reader should know.
#[derive(Clone, PartialEq)]
pub enum Remark {
    /// A field of the address is wrong.
    Address(Notice),
    /// A curve was not measured from this size on.
    Unmeasured(Scenario, u64, RunFault),
    /// What ended the bench.
    Ended(RunFault),
    /// A file of this name could not be opened.
    File(String, Unreadable),
}

/// How far the bench is.
#[derive(Clone, PartialEq)]
pub struct Progress {
    /// Measurements that are over.
    pub done: usize,
    /// All of them.
    pub all: usize,
    /// What is being measured, and its size in bytes.
    pub now: Option<(Scenario, u64)>,
}

/// A record from a file.
#[derive(Clone, PartialEq)]
pub struct Opened {
    /// The file's name.
    pub name: String,
    /// What is in it.
    pub record: Record,
}

/// The bench.
#[derive(Clone, PartialEq)]
pub struct Show {
    /// What is to be measured.
    pub choice: Choice,
    /// What was measured here.
    pub record: Option<Shared<Record>>,
    /// Records beside it.
    pub opened: Vec<Shared<Opened>>,
    /// How far the bench is, while it runs.
    pub progress: Option<Progress>,
    /// What the reader should know.
    pub remarks: Vec<Remark>,
}

/// What can happen.
pub enum Msg {
    /// The address has changed.
    Address(String),
    /// Something was chosen.
    Choose(Choice),
    /// The bench goes on: what it does, and what it has measured.
    Progress(Progress, Shared<Record>),
    /// The reader should know this.
    Remark(Remark),
    /// The bench has ended.
    Ended(Result<(), RunFault>),
    /// A record was opened.
    Open(Opened),
    /// A record is put away.
    Remove(usize),
    /// A remark is put away.
    Dismiss(usize),
}

impl Show {
    /// What an address asks for.
    pub fn open(fragment: &str) -> Show {
        let (choice, notices) = Choice::read(fragment);
        Show {
            choice,
            record: None,
            opened: Vec::new(),
            progress: None,
            remarks: notices.into_iter().map(Remark::Address).collect(),
        }
    }
}

impl Reducible for Show {
    type Action = Msg;

    fn reduce(self: Rc<Self>, msg: Msg) -> Rc<Self> {
        let mut next = Rc::unwrap_or_clone(self);
        match msg {
            Msg::Address(fragment) => {
                let (choice, notices) = Choice::read(&fragment);
                next.choice = choice;
                next.remarks = notices.into_iter().map(Remark::Address).collect();
            }
            Msg::Choose(choice) => next.choice = choice,
            Msg::Progress(progress, record) => {
                if progress.done == 0 {
                    next.remarks.clear();
                }
                next.progress = Some(progress);
                next.record = Some(record);
            }
            Msg::Remark(remark) => next.remarks.push(remark),
            Msg::Ended(result) => {
                next.progress = None;
                // Who cancels knows that.
                let fault = result.err().filter(|fault| *fault != RunFault::Cancelled);
                next.remarks.extend(fault.map(Remark::Ended));
            }
            Msg::Open(opened) => {
                next.opened.retain(|other| other.name != opened.name);
                next.opened.push(Shared::new(opened));
            }
            Msg::Remove(at) if at < next.opened.len() => drop(next.opened.remove(at)),
            Msg::Dismiss(at) if at < next.remarks.len() => drop(next.remarks.remove(at)),
            // Put away by a second click.
            Msg::Remove(_) | Msg::Dismiss(_) => {}
        }
        Rc::new(next)
    }
}
