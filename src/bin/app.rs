//! The page's program: mounts the application.

#[cfg(target_arch = "wasm32")]
fn main() {
    ringscope::ui::start();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("Ringscope's page runs in a browser: start it with scripts/serve");
}
