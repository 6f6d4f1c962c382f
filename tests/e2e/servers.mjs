// The servers that the journeys need: ours with and without the isolating headers, and a foreign
// host (`localhost` is another site than 127.0.0.1) whose pages embed ours.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
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

/** Serves a copy of the built site, which lies in `dir`, by the plainest server under `path`. */
export async function serveBelow(path) {
  const root = await mkdtemp(join(tmpdir(), "ringscope-site-"));
  const dir = join(root, path);
  await cp(DIST, dir, { recursive: true });
  await writeFile(join(root, "index.html"), "");
  const { url, close } = await serve({ dir: root, plain: true });
  const end = async () => {
    close();
    await rm(root, { recursive: true, force: true });
  };
  return { url: `${url}${path}/`, dir, close: end };
}

/**
 * A foreign site: `page(src, { sandbox, isolated })` is the address of a page with one iframe
 * showing `src`, sandboxed with that attribute value if given; `isolated` makes the page itself
 * cross-origin isolated, so that it refuses frames that do not agree to be. `embedding(base, body,
 * { isolated, policy })` is that of a page with `body`, which loads the element from `base`; it may
 * have a content security policy.
 */
export async function hostSite() {
  const server = createServer((request, response) => {
    const query = new URL(request.url, "http://host").searchParams;
    const quoted = (name) => query.get(name).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    const sandbox = query.has("sandbox") ? ` sandbox="${quoted("sandbox")}"` : "";
    const frame = () =>
      `<iframe title="embed" width="900" height="600"${sandbox} src="${quoted("src")}"></iframe>`;
    const element = () => `<script src="${quoted("base")}embed.js"></script>${query.get("body")}`;
    if (!query.has("src") && !query.has("base")) return response.writeHead(404).end();
    if (query.has("policy")) {
      response.setHeader("Content-Security-Policy", query.get("policy"));
    }
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    if (query.has("isolated")) {
      response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
      response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    }
    response.end(`<!doctype html><html lang="en"><title>Host</title>
      <link rel="icon" href="data:,">${query.has("src") ? frame() : element()}`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://localhost:${server.address().port}/`;
  const address = (query) => `${origin}?${new URLSearchParams(query)}`;
  return {
    page: (src, options = {}) => address({ src, ...options }),
    embedding: (base, body, options = {}) => address({ base, body, ...options }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
