//! Starting one rank: a classic worker made from a few lines of script that imports the rank.
//!
//! `new Worker(url)` is refused inside a sandboxed frame, and so is a module worker. A classic
//! worker from a `blob:` address that `import()`s an absolute one works everywhere, with one
//! exception: see [`address_of`].

use super::protocol::{FAILED, PROTOCOL, READY, ToPage, ToRank};
use super::transport::Unshared;
use js_sys::WebAssembly::Memory;
use js_sys::{Array, JSON, Object, Reflect, SharedArrayBuffer, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, BlobPropertyBag, ErrorEvent, Event, MessageEvent, MessagePort, Url, Worker};

/// The sizes that a shared memory may grow to, the next where the browser refuses one: the first is
/// what `build.rs` lets the program have.
const SHARED_BYTES_MAX: [u64; 5] = [4 << 30, 2 << 30, 1 << 30, 512 << 20, 256 << 20];

/// Pages of a shared memory to begin with: more than the program itself needs.
const SHARED_PAGES: u32 = 64;

/// Bytes of a page of WebAssembly's memory.
const PAGE_BYTES: u64 = 64 << 10;

/// Bytes of a rank's stack in a shared memory: as many as in one of its own.
const STACK_BYTES: u32 = 1 << 20;

/// What a worker tells.
pub(super) enum Said {
    /// It is a rank of this version.
    Ready(String),
    /// It could not become one.
    Failed(String),
    /// A message of this protocol.
    Message(ToPage),
    /// An error that nobody caught.
    Error(String),
    /// Nothing that this page understands.
    Unknown,
}

/// A memory that workers share and the page stays outside of. It is gone when the last of them is.
pub(super) struct SharedMemory {
    memory: Memory,
    bytes_max: u64,
}

impl SharedMemory {
    /// One that may grow as far as the browser allows.
    pub(super) fn new() -> Result<SharedMemory, Unshared> {
        if stamp("shared").as_deref() != Some("yes") {
            return Err(Unshared::NotBuilt);
        }
        let mut refusal = String::new();
        for bytes_max in SHARED_BYTES_MAX {
            match memory(bytes_max) {
                Ok(memory) => return Ok(SharedMemory { memory, bytes_max }),
                Err(error) => refusal = text(error),
            }
        }
        Err(Unshared::Refused(refusal))
    }

    /// How large it may become.
    pub(super) fn bytes_max(&self) -> u64 {
        self.bytes_max
    }

    /// Whether the browser refused a larger one.
    pub(super) fn is_reduced(&self) -> bool {
        self.bytes_max < SHARED_BYTES_MAX[0]
    }

    /// How large it is.
    pub(super) fn bytes(&self) -> u64 {
        let buffer: SharedArrayBuffer = self.memory.buffer().unchecked_into();
        f64::from(buffer.byte_length()) as u64
    }
}

/// A shared memory; `Err` if the browser makes none, or none so large.
fn memory(bytes_max: u64) -> Result<Memory, JsValue> {
    let descriptor = Object::new();
    let set = |name: &str, value: JsValue| Reflect::set(&descriptor, &name.into(), &value);
    set("initial", SHARED_PAGES.into())?;
    set("maximum", ((bytes_max / PAGE_BYTES) as u32).into())?;
    set("shared", true.into())?;
    Memory::new(&descriptor)
}

/// A worker; it ends when this is dropped.
pub(super) struct RankWorker {
    worker: Worker,
    address: String,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(Event)>,
}

impl Drop for RankWorker {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onmessageerror(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
        self.revoke();
    }
}

impl RankWorker {
    /// Starts a worker, in `memory` if there is one, and listens to it from its first moment on.
    /// `Err` is what the browser said.
    pub(super) fn start(
        memory: Option<&SharedMemory>,
        hear: impl Fn(Said) + Clone + 'static,
    ) -> Result<Self, String> {
        let address = address_of(&script(memory.is_some())?).map_err(text)?;
        let worker = Worker::new(&address).map_err(text)?;
        let hear_error = hear.clone();
        let on_message = Closure::new(move |event: MessageEvent| hear(understand(&event.data())));
        let on_error = Closure::new(move |event: Event| {
            event.prevent_default();
            // A script that cannot be loaded fires a plain event, which has no message.
            let error = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message);
            hear_error(Said::Error(error.unwrap_or_else(|| "the worker did not load".to_owned())));
        });
        let listener: &JsValue = on_message.as_ref();
        worker.set_onmessage(Some(listener.unchecked_ref()));
        // A message that cannot be deserialised has no data: it is understood as nothing.
        worker.set_onmessageerror(Some(listener.unchecked_ref()));
        worker.set_onerror(Some(AsRef::<JsValue>::as_ref(&on_error).unchecked_ref()));
        let rank = RankWorker { worker, address, _on_message: on_message, _on_error: on_error };
        if let Some(SharedMemory { memory, .. }) = memory {
            rank.worker.post_message(memory).map_err(text)?;
        }
        Ok(rank)
    }

    /// Frees the script's address; the worker has loaded it.
    pub(super) fn revoke(&self) {
        // Harmless for an address that is not, or no longer, a blob's.
        let _ = Url::revoke_object_url(&self.address);
    }

    /// Sends a message, and with it a port. Only a rank that is ready hears it.
    pub(super) fn post(&self, message: &ToRank, port: Option<&MessagePort>) {
        let Ok(bytes) = postcard::to_allocvec(message) else { return };
        let bytes = Uint8Array::from(bytes.as_slice());
        let envelope = Array::of2(&PROTOCOL.into(), &bytes);
        let transfer = Array::of1(&bytes.buffer());
        if let Some(port) = port {
            envelope.push(port);
            transfer.push(port);
        }
        // A worker that is gone cannot be told so; the watchdog notices.
        let _ = self.worker.post_message_with_transfer(&envelope, &transfer);
    }
}

fn understand(data: &JsValue) -> Said {
    let Some(fields) = data.dyn_ref::<Array>() else { return Said::Unknown };
    let (first, second) = (fields.get(0), fields.get(1));
    if let (Some(word), Some(text)) = (first.as_string(), second.as_string()) {
        return match word.as_str() {
            READY => Said::Ready(text),
            FAILED => Said::Failed(text),
            _ => Said::Unknown,
        };
    }
    if first.as_f64() != Some(f64::from(PROTOCOL)) {
        return Said::Unknown;
    }
    let message = second.dyn_ref::<Uint8Array>();
    let message = message.and_then(|bytes| postcard::from_bytes(&bytes.to_vec()).ok());
    message.map_or(Said::Unknown, Said::Message)
}

/// The script of a rank's worker, which may have to wait for its memory. A rank that cannot be
/// imported or started says why.
fn script(shared: bool) -> Result<String, String> {
    let folder = if shared { "shared/" } else { "" };
    let address = |file: &str| quoted(&absolute(&format!("{folder}{file}"))?);
    let (program, module) = (address("rank.js")?, address("rank_bg.wasm")?);
    let start = |options: &str| {
        format!(
            "import({program}).then(async (rank) => {{\
             await rank.default({{ module_or_path: {module}{options} }}); rank.begin();\
             }}).catch((error) => postMessage([\"{FAILED}\", String(error)]));"
        )
    };
    if !shared {
        return Ok(start(""));
    }
    let start = start(&format!(", memory: data, thread_stack_size: {STACK_BYTES}"));
    Ok(format!(
        "onmessage = ({{ data }}) => {{ onmessage = null; {start} }};\
         onmessageerror = () => postMessage([\"{FAILED}\", \"the memory did not arrive\"]);"
    ))
}

pub(super) fn quoted(text: &str) -> Result<String, String> {
    JSON::stringify(&text.into()).map(String::from).map_err(self::text)
}

/// What the build has written into the page about itself.
fn stamp(name: &str) -> Option<String> {
    let document = web_sys::window()?.document()?;
    let meta = document.query_selector(&format!("meta[name=\"ringscope-{name}\"]")).ok()??;
    meta.get_attribute("content")
}

/// The address of a file beside the page, with the build's id if this is a stamped build.
pub(super) fn absolute(file: &str) -> Result<String, String> {
    let document = web_sys::window().and_then(|window| window.document());
    let document = document.ok_or("there is no page")?;
    let base = document.base_uri().ok().flatten().ok_or("the page has no address")?;
    let url = Url::new_with_base(file, &base).map_err(text)?;
    if let Some(build) = stamp("build").filter(|build| build != "dev") {
        url.set_search(&format!("?v={}", String::from(js_sys::encode_uri_component(&build))));
    }
    Ok(url.href())
}

/// An address that yields `script`: `blob:`, but `data:` in a sandboxed frame that has no shared
/// memory. There WebKit refuses a blob's if a Cross-Origin-Embedder-Policy was sent; all browsers
/// take both otherwise. Where there is shared memory, only a blob's worker can be given it.
pub(super) fn address_of(script: &str) -> Result<String, JsValue> {
    let global = js_sys::global();
    let sandboxed = Reflect::get(&global, &"origin".into())?.as_string().as_deref() == Some("null");
    let shares = !Reflect::get(&global, &"SharedArrayBuffer".into())?.is_undefined();
    if sandboxed && !shares {
        let encoded = String::from(js_sys::encode_uri_component(script));
        return Ok(format!("data:text/javascript,{encoded}"));
    }
    let options = BlobPropertyBag::new();
    options.set_type("text/javascript");
    let parts = Array::of1(&script.into());
    Url::create_object_url_with_blob(&Blob::new_with_str_sequence_and_options(&parts, &options)?)
}

fn text(error: JsValue) -> String {
    String::from(js_sys::Object::from(error).to_string())
}
