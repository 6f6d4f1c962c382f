//! A worker beside the page that is no rank: a part of the page, started once more where what takes
//! long holds nothing up.

use super::boot::{absolute, address_of, quoted};
use js_sys::{Array, Promise};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ErrorEvent, MessageEvent, Url, Worker};

/// A part of the page in a worker; it ends when this is dropped.
pub struct Aside {
    worker: Worker,
    address: String,
}

impl Drop for Aside {
    fn drop(&mut self) {
        self.worker.terminate();
        // Harmless for an address that is not a blob's.
        let _ = Url::revoke_object_url(&self.address);
    }
}

impl Aside {
    /// Starts the part of this name.
    ///
    /// # Errors
    /// What the browser or the part said.
    pub async fn start(part: &str) -> Result<Aside, JsValue> {
        let program = quoted(&absolute(&format!("{part}.js"))?)?;
        let module = quoted(&absolute(&format!("{part}_bg.wasm"))?)?;
        let address = address_of(&format!(
            "const said = (good, what) => postMessage([good, what]);\
             import({program}).then(async (part) => {{\
               await part.default({{ module_or_path: {module} }});\
               onmessage = ({{ data: [name, ...given] }}) => {{\
                 try {{ said(true, part[name](...given)); }}\
                 catch (error) {{ said(false, String(error)); }}\
               }};\
               said(true);\
             }}).catch((error) => said(false, String(error)));"
        ))?;
        let aside = Aside { worker: Worker::new(&address)?, address };
        understood(aside.listen()).await?;
        Ok(aside)
    }

    /// Calls a function of the part, at once; the `buffers` in `given` go to it and are gone here.
    /// The next call waits for this one's answer.
    ///
    /// # Errors
    /// What the browser says; and as the answer, what the function throws.
    pub fn call(
        &self,
        function: &str,
        given: &[JsValue],
        buffers: &Array,
    ) -> Result<impl Future<Output = Result<JsValue, JsValue>> + use<>, JsValue> {
        let message = Array::of1(&function.into());
        for value in given {
            message.push(value);
        }
        let said = self.listen();
        self.worker.post_message_with_transfer(&message, buffers)?;
        Ok(understood(said))
    }

    /// The event of what the worker says next, or of its end.
    fn listen(&self) -> Promise {
        Promise::new(&mut |resolve, reject| {
            self.worker.set_onmessage(Some(&resolve));
            self.worker.set_onerror(Some(&reject));
        })
    }
}

/// What a worker has said.
async fn understood(said: Promise) -> Result<JsValue, JsValue> {
    let said = JsFuture::from(said).await.map_err(|event| {
        // A script that cannot be loaded fires a plain event, which has no message.
        let error = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message);
        JsValue::from(error.unwrap_or_else(|| "the worker did not load".to_owned()))
    })?;
    let said: Array = said.unchecked_into::<MessageEvent>().data().unchecked_into();
    if said.get(0).is_truthy() { Ok(said.get(1)) } else { Err(said.get(1)) }
}
