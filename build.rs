//! Tells the linker that a build with atomics, which is the rank's second one, shares its memory.
//!
//! Without these arguments such a build succeeds as well, and shares nothing.

/// What the program allows: the first of `SHARED_BYTES_MAX` in `src/runtime/boot.rs`.
const MEMORY_BYTES_MAX: u64 = 4 << 30;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let features = std::env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    if !features.split(',').any(|feature| feature == "atomics") {
        return;
    }
    let exports = ["__wasm_init_tls", "__tls_size", "__tls_align", "__tls_base"];
    let exports = exports.map(|name| format!("--export={name}"));
    let memory = ["--shared-memory".to_string(), "--import-memory".to_string()];
    let maximum = format!("--max-memory={MEMORY_BYTES_MAX}");
    for arg in memory.into_iter().chain(exports).chain([maximum]) {
        println!("cargo::rustc-link-arg-bins={arg}");
    }
}
