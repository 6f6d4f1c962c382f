// The servers that the journeys need: ours with and without the isolating headers, and a foreign
// host (`localhost` is another site than 127.0.0.1) whose pages embed ours.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The built site: `dist`, unless the environment names another folder. */
export const DIST = process.env.DIST ?? join(ROOT, "dist");

/** Serves `dir` by examples/serve.rs on a free port: `{ url, close }`, the url ending in "/". */
export async function serve({ dir = DIST, plain = false } = {}) {
  const build = ["run", "--quiet", "--example", "serve", "--"];
  const args = ["--port", "0", "--dir", dir, ...(plain ? ["--plain"] : [])];
  const stdio = ["ignore", "pipe", "inherit"];
  // Once it has built the server, cargo becomes it: ending this process ends the server.
  const server = spawn("cargo", [...build, ...args], { cwd: ROOT, stdio });
  const lines = createInterface({ input: server.stdout });
  const [url] = await Promise.race([
    once(lines, "line"),
    once(server, "exit").then(([code]) => Promise.reject(new Error(`serve exited: ${code}`))),
  ]);
  return { url, close: () => server.kill() };
}

/**
 * A foreign site: `page(src, { sandbox, isolated })` is the address of a page with one iframe
 * showing `src`, sandboxed with that attribute value if given; `isolated` makes the page itself
 * cross-origin isolated, so that it refuses frames that do not agree to be.
 */
export async function hostSite() {
  const server = createServer((request, response) => {
    const query = new URL(request.url, "http://host").searchParams;
    if (!query.has("src")) return response.writeHead(404).end();
    const quoted = (name) => query.get(name).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    const sandbox = query.has("sandbox") ? ` sandbox="${quoted("sandbox")}"` : "";
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    if (query.has("isolated")) {
      response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
      response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    }
    response.end(`<!doctype html><html lang="en"><title>Host</title>
      <link rel="icon" href="data:,">
      <iframe title="embed" width="900" height="600"${sandbox} src="${quoted("src")}"></iframe>`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://localhost:${server.address().port}/`;
  return {
    page: (src, options = {}) => `${origin}?${new URLSearchParams({ src, ...options })}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
