// Starts the page. A classic external script, so that it knows the origin it was loaded from and
// runs before anything else is fetched: policy, language and theme first, then the app.
(function boot() {
  "use strict";
  const script = document.currentScript.src;
  const root = document.documentElement;

  // In a sandboxed frame the page's origin is opaque and WebKit matches 'self' with nothing, so
  // the policy also names the origin of this very file. It must be in place before the links
  // below this script load. Ranks start from blob: addresses; in a sandboxed frame WebKit refuses
  // those to a page that sends a Cross-Origin-Embedder-Policy, and takes data: ones.
  function insertPolicy() {
    const own = "'self' " + new URL(script).origin;
    const policy = document.createElement("meta");
    policy.httpEquiv = "Content-Security-Policy";
    policy.content = [
      "default-src 'none'",
      `script-src ${own} 'wasm-unsafe-eval'`,
      `worker-src ${own} blob: data:`,
      `connect-src ${own}`,
      `img-src ${own} data: blob:`,
      `style-src ${own}`,
      "base-uri 'self'",
      "form-action 'none'",
    ].join("; ");
    document.head.append(policy);
  }

  // What the reader chose: in the address (fragment first, as links carry it), else remembered.
  // Storage throws in an opaque origin; the reader then simply gets the defaults.
  function chosen(name) {
    const fragment = location.hash.split("?")[1] || "";
    const inAddress =
      new URLSearchParams(fragment).get(name) || new URLSearchParams(location.search).get(name);
    if (inAddress) return inAddress;
    try {
      return localStorage.getItem("ringscope." + name) || "";
    } catch {
      return "";
    }
  }

  // Set before the first paint, so that neither flashes; the app reads the same places.
  function setLanguageAndTheme() {
    const language = chosen("lang") || navigator.language || "en";
    root.lang = /^zh\b/i.test(language) ? "zh-CN" : "en";
    const theme = chosen("theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  }

  // In another page's frame (`?embed=1`) stage, track and sentence are shown, and of the panels
  // those that the address names. Stylesheet and app read it off the root. The script that speaks
  // with the page around is one of the document's own: it runs before that one hears of `load`.
  function setEmbedded() {
    const query = new URLSearchParams(location.search);
    if (query.get("embed") !== "1") return;
    root.dataset.embed = (query.get("panels") || "").replace(/[^a-z]+/g, " ");
    const frame = document.createElement("script");
    frame.type = "module";
    frame.src = address("frame.js");
    document.head.append(frame);
  }

  // Where the host sends no headers that isolate the page, a service worker can add them, unless
  // another page shows this one. The app offers that: "possible" on the root, and "added" once it
  // is done. WebKit is left out, because isolated or not it may have no memory to share, and says
  // so too late. Asking for service workers throws where the page is sandboxed.
  const isolating = new URL("isolate.js", script).href;
  function setIsolation() {
    try {
      const workers = navigator.serviceWorker;
      if (!workers || self !== top) return;
      if (workers.controller?.scriptURL === isolating) root.dataset.isolation = "added";
      else if (!self.crossOriginIsolated && !/^Apple/.test(navigator.vendor)) {
        root.dataset.isolation = "possible";
      }
    } catch {
      // It is not offered.
    }
  }

  // Adds the service worker or takes it away, and loads the page anew, at the same scenario.
  window.ringscopeIsolate = async (on) => {
    const workers = navigator.serviceWorker;
    if (on) {
      await workers.register(isolating);
      await workers.ready;
    } else await (await workers.getRegistration())?.unregister();
    location.reload();
  };

  // The smallest module that uses a v128 instruction: () -> v128 { i8x16.splat(0) }.
  function hasSimd() {
    const bytes = [
      0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253,
      15, 11,
    ];
    return typeof WebAssembly === "object" && WebAssembly.validate(new Uint8Array(bytes));
  }

  const SENTENCES = {
    simd: [
      "This browser has no WebAssembly SIMD, which Ringscope's ranks compute with. Chrome 91, " +
        "Firefox 89 and Safari 16.4, or newer, have it.",
      "此浏览器不支持 Ringscope 的 rank 计算所需的 WebAssembly SIMD。" +
        "请使用 Chrome 91、Firefox 89、Safari 16.4 或更新版本。",
    ],
    sandbox: [
      "This frame is sandboxed: the server must send Access-Control-Allow-Origin: * with " +
        "Ringscope's files, or the frame needs allow-same-origin.",
      "此 iframe 处于沙箱中：服务器必须为 Ringscope 的文件发送 Access-Control-Allow-Origin: *，" +
        "或者为 iframe 加上 allow-same-origin。",
    ],
    missing: [
      "A part of Ringscope could not be loaded. Check the connection and reload the page.",
      "Ringscope 的部分文件无法加载。请检查网络连接并重新加载页面。",
    ],
    corrupt: [
      "A part of Ringscope was loaded but cannot be started: it is damaged, of another version, " +
        "or met an error. Reload the page.",
      "Ringscope 的部分文件已加载但无法启动：文件损坏、版本不一致或出现错误。请重新加载页面。",
    ],
  };

  function showFailure(kind, detail) {
    const alert = document.createElement("div");
    alert.setAttribute("role", "alert");
    alert.className = "boot-failure";
    alert.dataset.reason = kind;
    const languages = ["en", "zh-CN"];
    SENTENCES[kind].forEach((sentence, i) => {
      const paragraph = document.createElement("p");
      paragraph.lang = languages[i];
      paragraph.textContent = sentence;
      alert.append(paragraph);
    });
    if (detail) {
      const note = document.createElement("p");
      note.textContent = detail;
      alert.append(note);
    }
    document.body.prepend(alert);
  }

  const untilParsed = new Promise((resolve) => {
    if (document.readyState !== "loading") resolve();
    else document.addEventListener("DOMContentLoaded", resolve, { once: true });
  });

  // The app measures boxes, which mean nothing before they have their style.
  const untilStyled = untilParsed.then(() => new Promise((resolve) => {
    const link = document.querySelector("link[rel=stylesheet]");
    if (!link || link.sheet) return resolve();
    for (const end of ["load", "error"]) link.addEventListener(end, resolve, { once: true });
  }));

  // Addresses are absolute and carry the build's id, so that a cached file of another build is
  // never mixed in.
  function address(file) {
    const build = document.querySelector('meta[name="ringscope-build"]').content;
    const url = new URL(file, script);
    url.search = "?v=" + encodeURIComponent(build);
    return url.href;
  }

  // Parts of the app that are not needed at first; the app asks for them by name. Each is fetched
  // once, unless it could not be had.
  const parts = new Map();
  async function fetchPart(name) {
    const bindings = await import(address(name + ".js"));
    await bindings.default({ module_or_path: address(name + "_bg.wasm") });
    return bindings;
  }
  window.ringscopePart = (name) => {
    if (!parts.has(name)) {
      const part = fetchPart(name);
      parts.set(name, part);
      part.catch(() => parts.delete(name));
    }
    return parts.get(name);
  };

  // The module is fetched beside the script, not after it.
  async function start() {
    const wasm = fetch(address("app_bg.wasm"));
    const bindings = import(address("app.js"));
    let response;
    try {
      [response] = await Promise.all([wasm, bindings, untilStyled]);
    } catch (error) {
      // It may be known before there is a body to say it in.
      await untilParsed;
      // A script that was fetched but does not parse is damaged; the rest never arrived.
      const damaged = error instanceof SyntaxError;
      const blocked = self.origin === "null" ? "sandbox" : "missing";
      return showFailure(damaged ? "corrupt" : blocked, String(error));
    }
    if (!response.ok) return showFailure("missing", `app_bg.wasm: HTTP ${response.status}`);
    try {
      await (await bindings).default({ module_or_path: response });
    } catch (error) {
      showFailure("corrupt", String(error));
    }
  }

  insertPolicy();
  setLanguageAndTheme();
  setEmbedded();
  setIsolation();
  if (hasSimd()) start();
  else untilParsed.then(() => showFailure("simd"));
})();
