# Shared by the scripts beside it, which source it: they run in the repository's root, and find the
# tools that scripts/setup put into .tools before any others.

cd "$(dirname "${BASH_SOURCE[0]}")/.."
PATH="$PWD/.tools/bin:$PWD/.tools/node_modules/.bin:$PATH:$HOME/.cargo/bin"
export PATH

have() {
  command -v "$1" > /dev/null
}

say() {
  printf '\n== %s\n' "$*"
}

# The second word of `PROGRAM --version`; nothing when the program is missing.
version_of() {
  "$1" --version 2> /dev/null | awk 'NR == 1 { print $2 }'
}

# The standard library's source, beside the compiler.
have_rust_src() {
  [ -f "$(rustc --print sysroot 2> /dev/null)/lib/rustlib/src/rust/library/Cargo.lock" ]
}

# Releases of Binaryen before 120 misread what current compilers write: Debian's 108 even leaves a
# broken module behind and reports success.
have_wasm_opt() {
  local release
  release=$(wasm-opt --version 2> /dev/null | grep -oE '[0-9]+' | head -n 1)
  [ "${release:-0}" -ge 120 ]
}
