// Compiles benches/ours.rs.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The repository. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** How cargo is to tell what it has built. */
const TOLD = ["--message-format=json-render-diagnostics"];

/** Builds benches/ours.rs with these options of cargo's, and returns the program's path. */
export function build(options, env = {}) {
  const args = ["build", "--locked", "--example", "ours"];
  const stdio = ["ignore", "pipe", "inherit"];
  const settings = { cwd: ROOT, env: { ...process.env, ...env }, stdio, maxBuffer: 1 << 26 };
  const told = String(execFileSync("cargo", [...args, ...options, ...TOLD], settings));
  const built = told.trim().split("\n").map((line) => JSON.parse(line));
  const { executable } = built.find((one) => one.executable && one.target.name === "ours");
  return executable;
}
