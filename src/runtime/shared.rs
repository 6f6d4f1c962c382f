//! A rank among others in one memory: the switchboard is a static of the program they all run.

use super::protocol::{Call, Task};
use super::switchboard::{Doorbell, SharedLinks, Switchboard, spins};
use super::worker::Transport;
use js_sys::Reflect;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use web_sys::MessagePort;

/// Where the ranks of this memory find each other.
static SWITCHBOARD: Switchboard = Switchboard::new();

/// The transport in shared memory: once there has been a call, the rank's doorbell, and how often
/// it looks before it sleeps.
#[derive(Clone, Default)]
pub(super) struct Shared(Rc<RefCell<Option<(Arc<Doorbell>, u32)>>>);

impl Transport for Shared {
    type Links = SharedLinks;

    /// Here are no wires.
    fn wire(&self, _: usize, _: MessagePort, _: Rc<dyn Fn()>) {}

    fn links(&self, task: &Task) -> SharedLinks {
        let bell = SWITCHBOARD.bell(task.members[task.rank]);
        bell.attend();
        self.0.replace(Some((bell, spins(task.members.len(), cores()))));
        SWITCHBOARD.links(task)
    }

    /// Its connections are gone with its links.
    fn end(&self, _: Call) {}

    fn ignored(&self) -> u64 {
        0
    }

    fn rings(&self) -> u32 {
        self.0.borrow().as_ref().map_or(0, |(bell, _)| bell.rings())
    }

    fn wait(&self, rings: u32, left_us: f64) -> bool {
        if let Some((bell, spins)) = &*self.0.borrow() {
            bell.wait(rings, *spins, Duration::from_micros(left_us.max(0.0) as u64));
        }
        true
    }
}

/// The browser's number of cores, or what it admits to.
fn cores() -> usize {
    let navigator = Reflect::get(&js_sys::global(), &"navigator".into());
    let cores =
        navigator.and_then(|navigator| Reflect::get(&navigator, &"hardwareConcurrency".into()));
    cores.ok().and_then(|cores| cores.as_f64()).map_or(1, |cores| cores as usize)
}
