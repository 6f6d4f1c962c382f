//! The self-check, as a part of the page that is loaded when it is asked for.

fn main() {}

#[cfg(target_arch = "wasm32")]
mod for_scripts {
    use ringscope::runtime::endurance::Endurance;
    use ringscope::runtime::pool::Pool;
    use ringscope::runtime::sweep::{named, sweep_for_scripts};
    use wasm_bindgen::prelude::*;

    /// Runs the grid of small collectives on workers of its own:
    /// `await (await ringscopePart("check")).self_check({ sizes: [2, 3] })`; see
    /// [`sweep_for_scripts`].
    ///
    /// # Errors
    /// A sentence, if the specification is none.
    #[wasm_bindgen]
    pub async fn self_check(spec: JsValue) -> Result<JsValue, JsValue> {
        let pool = Pool::new(|| ());
        let answer = sweep_for_scripts(&pool, &spec).await;
        pool.release();
        answer
    }

    /// Run after run on workers of its own: `const long = new part.Long("shared")`, then
    /// `await long.go_on(50)`; see [`Endurance`].
    #[wasm_bindgen]
    pub struct Long(Endurance);

    #[wasm_bindgen]
    impl Long {
        /// Runs whose messages go `"shared"` or over `"ports"`.
        ///
        /// # Errors
        /// A sentence, if it is neither.
        #[wasm_bindgen(constructor)]
        pub fn new(via: JsValue) -> Result<Long, JsValue> {
            Ok(Long(Endurance::new(named(&via)?)?))
        }

        /// Goes on with so many runs.
        ///
        /// # Errors
        /// A sentence about the first that failed.
        pub async fn go_on(&self, runs: usize) -> Result<(), JsValue> {
            Ok(self.0.go_on(runs).await?)
        }

        /// Bytes of the ranks' memories.
        pub fn memory_bytes(&self) -> f64 {
            self.0.pool().memory_bytes() as f64
        }

        /// How messages went.
        pub fn via(&self) -> String {
            self.0.pool().status().wiring.via.name().to_string()
        }
    }
}
