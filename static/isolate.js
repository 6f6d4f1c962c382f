// A service worker for hosts that cannot be told to send headers: it adds to the page those that
// isolate it, so that its ranks may share memory. It is installed when the reader asks for that
// (boot.js) and never otherwise. It keeps nothing, so the page is always the host's.

// A newer one takes over at once: the page has nothing that an older one would have to go on with.
self.addEventListener("install", () => self.skipWaiting());

async function isolated(request) {
  const response = await fetch(request);
  // Only the browser itself can follow a redirect of the page.
  if (response.type === "opaqueredirect") return response;
  const headers = new Headers(response.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  const { body, status, statusText } = response;
  return new Response(body, { status, statusText, headers });
}

// Whatever else the host has in this folder is none of our business, and in a frame it is for the
// page around to be isolated.
const { scope } = self.registration;
self.addEventListener("fetch", (event) => {
  const { destination, url } = event.request;
  const { origin, pathname } = new URL(url);
  const isPage = [scope, `${scope}index.html`].includes(origin + pathname);
  if (isPage && destination === "document") event.respondWith(isolated(event.request));
});
