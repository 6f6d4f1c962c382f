// <ring-scope scenario="allreduce?algo=ring&n=4"></ring-scope>: a live Ringscope in any page.
//
// A classic script without dependencies; docs/embed.md tells how to use it. Only the element's name
// is global: where several versions of this file are in one page, the first defines it.
(() => {
  "use strict";
  const NAME = "ring-scope";
  if (customElements.get(NAME)) return;

  /** The version of the protocol; frames of later builds still know it. */
  const VERSION = 1;
  /** What the frame may tell as an event of the element. */
  const EVENTS = ["ready", "step", "end", "error"];
  /** Beyond this, in CSS pixels, a height is a mistake. */
  const HEIGHT_MAX = 20_000;
  /** How long colours of a page may be changing, in milliseconds. */
  const TRANSITION_MS = 500;
  /** Ringscope lies where this file does, unless an element says otherwise. */
  const home = new URL(".", document.currentScript?.src || document.baseURI);

  // A page's policy that forbids inline styles does not forbid this.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    :host { display: block; }
    :host([hidden]) { display: none; }
    iframe { display: block; width: 100%; height: 420px; border: 0; }
  `);

  /** Whether text of this colour is written on a dark ground; any of CSS's notations. */
  function isBright(color) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const context = canvas.getContext("2d");
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
    return 0.299 * red + 0.587 * green + 0.114 * blue > 127;
  }

  /** What there is of the element in the page; all of it follows the page's language and theme. */
  const connected = new Set();
  const followAll = () => connected.forEach((element) => element.follow());
  const host = new MutationObserver(() => {
    followAll();
    setTimeout(followAll, TRANSITION_MS);
  });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", followAll);

  class RingScope extends HTMLElement {
    static observedAttributes = ["scenario", "lang", "theme"];

    #frame;
    #port;
    #theirs;
    #followed;

    connectedCallback() {
      if (!this.#frame) this.#build();
      else if (!this.#theirs) this.#again();
      connected.add(this);
      this.follow();
      for (const node of [document.documentElement, document.body].filter(Boolean)) {
        host.observe(node, { attributes: true });
      }
    }

    disconnectedCallback() {
      connected.delete(this);
    }

    attributeChangedCallback(name, before, now) {
      if (!this.#frame || before === now) return;
      if (name === "scenario") this.set(this.#scenario());
      else this.follow();
    }

    /** Plays what is shown. */
    play() {
      this.#send({ type: "play" });
    }

    /** Pauses it. */
    pause() {
      this.#send({ type: "pause" });
    }

    /** Shows the moment when so many steps are over. */
    seek(step) {
      this.#send({ type: "seek", step });
    }

    /** Opens a scenario (`"reduce?n=4"`), or changes fields of the one shown (`{ n: 8 }`). */
    set(scenario) {
      if (typeof scenario === "object") scenario = `?${new URLSearchParams(scenario)}`;
      this.#send({ type: "set", scenario });
    }

    /** Takes on the language and theme of the page, where they are not laid down here. */
    follow() {
      const now = `?${this.#reader()}`;
      if (now === this.#followed) return;
      this.#followed = now;
      this.#port.postMessage({ type: "set", scenario: now });
    }

    /** The fields that belong to the reader, other than those that the scenario names. */
    #reader() {
      const fields = new URLSearchParams();
      const lang = this.closest("[lang]")?.lang;
      if (lang) fields.set("lang", /^zh\b/i.test(lang) ? "zh" : "en");
      const theme = this.getAttribute("theme");
      const own = theme === "light" || theme === "dark";
      const bright = () => isBright(getComputedStyle(this).color);
      fields.set("theme", own ? theme : bright() ? "dark" : "light");
      const [, query] = (this.getAttribute("scenario") ?? "").split("?");
      for (const [name] of new URLSearchParams(query)) fields.delete(name);
      return fields;
    }

    /** The scenario with the reader's fields. */
    #scenario() {
      const reader = this.#reader();
      this.#followed = `?${reader}`;
      const given = (this.getAttribute("scenario") ?? "allreduce").replace(/^[#/]+/, "");
      return `${given}${given.includes("?") ? "&" : "?"}${reader}`;
    }

    #build() {
      this.#wire();
      const frame = document.createElement("iframe");
      const panels = (this.getAttribute("panels") ?? "").split(/[\s,]+/);
      if (this.hasAttribute("controls")) panels.push("controls");
      const address = new URL(this.getAttribute("src") ?? ".", home);
      const shown = panels.filter(Boolean).join();
      address.search = `?embed=1${shown && `&panels=${shown}`}`;
      address.hash = `#/${this.#scenario()}`;
      frame.title = this.title || `Ringscope: ${this.getAttribute("scenario") ?? "allreduce"}`;
      if (window.crossOriginIsolated) {
        // There a frame may share memory if it is let, and needs fewer headers without cookies.
        frame.allow = "cross-origin-isolated";
        frame.credentialless = true;
      }
      frame.loading = "lazy";
      frame.addEventListener("load", () => this.#greet());
      frame.src = address;
      this.#frame = frame;
      const root = this.attachShadow({ mode: "open" });
      root.adoptedStyleSheets = [sheet];
      root.append(frame);
    }

    /** A frame that is moved in the page loads once more, what it was made with. */
    #again() {
      this.#wire();
      this.set(this.#scenario());
    }

    /** A channel: what is sent before the other end is handed over waits for that. */
    #wire() {
      this.#port?.close();
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => this.#hear(data);
      [this.#port, this.#theirs] = [port1, port2];
    }

    /** Hands the channel to the page that the frame has loaded. */
    #greet() {
      if (!this.#theirs) this.#wire();
      const hello = { ringscope: "hello", version: VERSION, fit: true };
      // A sandboxed frame has no origin that could be named; a hello holds nothing to keep.
      this.#frame.contentWindow.postMessage(hello, "*", [this.#theirs]);
      this.#theirs = undefined;
    }

    #hear(message) {
      const { type, ...detail } = Object(message);
      if (type === "size" && detail.height > 0 && detail.height < HEIGHT_MAX) {
        this.#frame.style.height = `${detail.height}px`;
      }
      if (EVENTS.includes(type)) this.dispatchEvent(new CustomEvent(type, { detail }));
    }

    /** A frame that is not loaded yet is needed now. */
    #send(message) {
      if (!this.#frame) this.#build();
      this.#frame.loading = "eager";
      this.#port.postMessage(message);
    }
  }

  customElements.define(NAME, RingScope);
})();
