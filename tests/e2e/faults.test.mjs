// Whatever goes wrong is said in a sentence, and the page works on: bad links, broken files, dying
// workers. Chromium, where files can be changed on their way.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  cards, click, complaints, ended, idle, open, REPEAT, keepWorkers, remarks, repetitions, run, RUN,
  saysAndWorks, status, visiting,
} from "./journey.mjs";

const place = visiting();
const visit = (at, check, prepare) => place.visit(at, check, { prepare, complains: true });

describe("a bad link is said, and the rest of it kept", () => {
  const long = "x".repeat(40_000);
  const table = [
    ["#/allreduce?n=99", [/Ranks: “99” is outside the range 1 to 16; 16 is used/], 16],
    ["#/allreduce?n=-1&op=max", [/Ranks: “-1” .* is used/], 1],
    ["#/allreduce?n=1e3", [/Ranks: “1e3” is not a whole number; 4 is used/], 4],
    ["#/allreduce?n=99999999999999999999999", [/Ranks: .*16 is used/], 16],
    ["#/allreduce?size=-5", [/Buffer size: “-5” .*/], 4],
    ["#/allreduce?size=NaN&n=2", [/Buffer size: “NaN” is not a size/], 2],
    ["#/allreduce?algo=quantum&n=3", [/Algorithm: “quantum” is not one of .*ring is used/], 3],
    ["#/alltoall?algo=tree", [/Algorithm: .* does not serve AllToAll/], 4],
    ["#/alltoall?place=in", [/Memory: AllToAll cannot run in place/], 4],
    ["#/broadcast?root=7", [/Root: “7” is outside the range 0 to 3; 3 is used/], 4],
    ["#/sendrecv?n=1", [/Ranks: it needs at least 2 ranks, not 1; 2 is used/], 2],
    ["#/allreduce?data=1,2,3", [/Rank 0: 3 given, but its row has 4/], 4],
    ["#/allreduce?data=1,2,x,4", [/Rank 0: “x” is not a number/], 4],
    ["#/allreduce?data=1,2,1e99,4", [/Rank 0: “1e99” does not fit f32/], 4],
    ["#/allreduce?step=700", [/Step: “700” is outside the range 0 to 6; 6 is used/], 4],
    ["#/allreduce?step=-1", [/Step: “-1” is outside the range 0 to 6; 0 is used/], 4],
    ["#/allreduce?loop=5-2", [/Loop: “5-2” is not a first and a last step, .*are 6 here/], 4],
    ["#/AllReduce?algo=Ring&N=3&Op=MAX", [], 3],
    ["#/allreduce?len=65", [/Length: “65” is outside the range 0 to 64; 64 is used/], 4],
    ["#/allreduce?speed=0", [/Speed: “0”/], 4],
    ["#/allreduce?type=f12&op=xor", [/Type: “f12”/, /Reduce with: “xor”/], 4],
    ["#/allreduce?n=2&n=3", [/Ranks: given more than once/], 2],
    ["#/allreduce?evil=<script>alert(1)</script>", [/field “evil” that does not exist/], 4],
    ["#/nowhere", [/There is no page “nowhere”; AllReduce is shown instead/], 4],
    ["#/%ff%00?%ff=%00&n=%E2%80%AE5", [/no page/, /does not exist/, /Ranks/], 4],
    [`#/allreduce?data=${long}`, [/Numbers: 40000 bytes are too long; at most 8192 are read/], 4],
    [`#/allreduce?${"a=1&".repeat(5000)}n=2`, [/The link has 5000 fields that do not exist/], 2],
  ];
  test(`${table.length} links`, () =>
    visit("", async (page) => {
      const wrong = [];
      for (const [at, sentences, ranks] of table) {
        await open(page, place.server.url, at);
        try {
          assert.equal(await page.eval(cards), ranks);
          await saysAndWorks(page, ...sentences);
        } catch (error) {
          wrong.push(`${at.slice(0, 80)}: ${error.message}`);
        }
      }
      assert.equal(wrong.length, 0, wrong.join("\n"));
      assert.deepEqual(page.messages, []);
    }));

  test("links changed by hand, one after the other, leave no old sentence", () =>
    visit("#/allreduce?n=99", async (page) => {
      await page.eval(() => {
        location.hash = "#/allgather?n=3&zzz";
      });
      await page.waitFor(() => document.querySelectorAll(".stage .card").length === 3, 5_000);
      await saysAndWorks(page, /field “zzz”/);
    }));

  test("a number typed wrong is said, and the old one comes back", () =>
    visit("", async (page) => {
      for (const [typed, sentence] of [["x", /Ranks: “x” is not a whole/], ["17", /1 to 16/]]) {
        await page.raw.fill(".param-number", typed);
        await page.press("Enter");
        await page.waitFor(() => document.querySelector(".notice") !== null, 2_000);
        assert.match((await complaints(page)).join(), sentence);
        assert.equal(await page.raw.inputValue(".param-number"), "4");
        await click(page, ".notice .text-button");
        await page.waitFor(() => document.querySelector(".notice") === null, 2_000);
      }
      await run(page);
    }));
});

describe("a run that needs too much is refused before it starts", () => {
  const beyond = /Buffer size: “\d+.iB” is outside the range .* to 256.MiB; 256.MiB is used/;
  for (const [at, ...said] of [["#/alltoall?n=16&size=64MiB"], ["#/allreduce?size=10GiB", beyond],
    ["#/allreduce?size=1TiB", beyond]]) {
    test(at, () =>
      visit(at, async (page) => {
        await click(page, RUN);
        await ended(page);
        assert.equal(page.raw.workers().length, 0);
        const sentences = await complaints(page);
        const all = [...said, /would need [\d.]+.GiB .* the limit is 2.GiB/];
        assert.equal(sentences.length, all.length, sentences.join("\n"));
        all.forEach((sentence, i) => assert.match(sentences[i], sentence));
        await page.eval(() => {
          location.hash = "#/allgather?n=3";
        });
        await page.waitFor(() => document.querySelectorAll(".stage .card").length === 3, 5_000);
        await run(page);
      }));
  }
});

describe("a broken worker file is said, and the next run works once it is whole", () => {
  const other = (body) => {
    const version = body.toString("latin1").match(/protocol \d build/);
    assert.ok(version, "the version is in the program");
    body.write("protocol 9 build", version.index);
    return body;
  };
  const files = [
    ["the script is missing", "rank.js", (route) => route.fulfill({ status: 404 }),
      /Rank \d did not start: .*Check the connection, then press Run again/],
    ["the program is missing", "rank_bg.wasm", (route) => route.fulfill({ status: 404 }),
      /Rank \d did not start: /],
    ["the connection is gone", "rank_bg.wasm", (route) => route.abort(), /Rank \d did not start: /],
    ["the program is garbage", "rank_bg.wasm", (route) =>
      route.fulfill({ contentType: "application/wasm", body: "not a program" }),
      /Rank \d did not start: .*(wasm|magic)/i],
    ["the program is of another version", "rank_bg.wasm", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: other(await response.body()) });
    }, /The page is of version .*protocol \d.*its worker is of version .*protocol 9.* Reload/],
    ["the worker says what is no message", "rank.js", (route) =>
      route.fulfill({ contentType: "text/javascript",
        body: `postMessage("hello"); postMessage([1, 2, 3]); postMessage(["ringscope-ready", "0"]);
          export default () => {};` }),
      /its worker is of version 0: /],
    ["the worker throws", "rank.js", (route) =>
      route.fulfill({ contentType: "text/javascript",
        body: `setTimeout(() => { throw new Error("out of order"); });
          export default () => {}; export const begin = () => {};` }),
      /Rank \d did not start: .*out of order/],
  ];
  for (const [what, file, answer, sentence] of files) {
    test(what, () =>
      visit("", async (page) => {
        await page.raw.context().route(`**/${file}*`, answer);
        await click(page, RUN);
        await ended(page, 15_000);
        await page.raw.context().unrouteAll({ behavior: "ignoreErrors" });
        await saysAndWorks(page, sentence);
      }));
  }
});

describe("shared memory that cannot be had is said, and ports are used", () => {
  test("its program is missing", () =>
    visit("", async (page) => {
      const pattern = "**/shared/rank_bg.wasm*";
      await page.raw.context().route(pattern, (route) => route.fulfill({ status: 404 }));
      await run(page);
      await page.raw.context().unroute(pattern);
      assert.match(await page.eval(status), /4 workers · message ports/);
      assert.match(await page.eval(remarks), /the ranks did not start in shared memory \(.+\)/);
    }));

  test("the browser gives less than is asked for", () =>
    visit("#/allreduce?n=3", async (page) => {
      await run(page);
      assert.match(await page.eval(status), /3 workers · shared memory/);
      assert.match(await page.eval(remarks), /all ranks together have 512.MiB at most/);
      await page.eval(() => {
        location.hash = "#/alltoall?n=4&size=64MiB";
      });
      await page.waitFor(() => document.querySelectorAll(".stage .card").length === 4, 5_000);
      await click(page, RUN);
      await ended(page);
      assert.match((await complaints(page)).join(), /would need .* the limit is 384.MiB/);
    }, (page) => page.raw.addInitScript(() => {
      const Real = WebAssembly.Memory;
      WebAssembly.Memory = function Memory(descriptor) {
        if (descriptor.maximum > 8192) throw new RangeError("too much");
        return new Real(descriptor);
      };
    })));

  test("it cannot grow as far as the browser said", () =>
    visit("#/allreduce?n=3&size=64MiB", async (page) => {
      await click(page, RUN);
      await ended(page);
      assert.match((await complaints(page)).join(), /did not give rank \d the 128.MiB it asked/);
      await page.eval(() => {
        location.hash = "#/allreduce?n=3";
      });
      await page.waitFor(() => document.querySelector(".notice") === null, 5_000);
      await run(page);
      assert.match(await page.eval(status), /3 workers · shared memory/);
    }, (page) => page.raw.addInitScript(() => {
      const Real = WebAssembly.Memory;
      WebAssembly.Memory = function Memory(descriptor) {
        return new Real({ ...descriptor, maximum: 1024 });
      };
    })));

  test("the browser gives none", () =>
    visit("#/allreduce?n=3", async (page) => {
      await run(page);
      assert.match(await page.eval(status), /3 workers · message ports/);
      assert.match(await page.eval(remarks), /gives no memory to be shared .*none today\)/);
    }, (page) => page.raw.addInitScript(() => {
      WebAssembly.Memory = function Memory() {
        throw new RangeError("none today");
      };
    })));
});

describe("isolation that is lost is said, and the next run goes over ports", () => {
  /** Opens another number of ranks in a page that has run some. */
  const ask = async (page, ranks) => {
    await page.eval((ranks) => {
      location.hash = `#/allreduce?n=${ranks}`;
    }, ranks);
    await page.waitFor((n) => document.querySelectorAll(".stage .card").length === n, 5_000, ranks);
  };

  test("while ranks share memory", () =>
    visit("#/allreduce?n=2", async (page) => {
      await run(page);
      assert.match(await page.eval(status), /2 workers · shared memory/);
      await page.eval(() => {
        const { postMessage } = Worker.prototype;
        Worker.prototype.postMessage = function post(data, ...rest) {
          if (data instanceof WebAssembly.Memory) throw new DOMException("not isolated");
          postMessage.call(this, data, ...rest);
        };
      });
      await ask(page, 3);
      await click(page, RUN);
      await ended(page);
      await saysAndWorks(page, /no longer gives rank 2 the memory .*: not isolated\. .*over ports/);
      assert.match(await page.eval(status), /3 workers · message ports/);
      assert.match(await page.eval(remarks), /gives no memory to be shared .*not isolated\)/);
    }));

  test("while ranks share memory, with the program for it", () =>
    visit("#/allreduce?n=2", async (page) => {
      await run(page);
      assert.match(await page.eval(status), /2 workers · shared memory/);
      const pattern = "**/shared/rank_bg.wasm*";
      await page.raw.context().route(pattern, (route) => route.fulfill({ status: 404 }));
      await ask(page, 3);
      await click(page, RUN);
      await ended(page);
      await saysAndWorks(page, /Rank 2 did not start: .*press Run again/);
      await page.raw.context().unroute(pattern);
      assert.match(await page.eval(status), /3 workers · message ports/);
      assert.match(await page.eval(remarks), /the ranks did not start in shared memory \(.+\)/);
    }));

  test("when the page is loaded anew", () =>
    visit("#/allreduce?n=2", async (page) => {
      await run(page);
      assert.match(await page.eval(status), /2 workers · shared memory/);
      await page.raw.route(`${place.server.url}*`, async (route) => {
        const response = await route.fetch();
        const headers = Object.entries(response.headers());
        const left = headers.filter(([name]) => !/^(cross-origin|document)-/.test(name));
        await route.fulfill({ response, headers: Object.fromEntries(left) });
      });
      await page.raw.reload();
      await page.waitFor(cards, 10_000);
      assert.equal(await page.eval(() => self.crossOriginIsolated), false);
      await run(page);
      assert.match(await page.eval(status), /2 workers · message ports/);
      assert.match(await page.eval(remarks), /gives no memory to be shared to the workers/);
      assert.match(await page.eval(remarks), /A service worker in your browser can add them/);
    }));
});

describe("a dying rank is named, and the next run works", () => {
  const reach = (page) => page.raw.addInitScript(keepWorkers);
  async function repeating(page) {
    await click(page, REPEAT);
    await page.waitFor(repetitions, 20_000);
  }

  test("ended by somebody else while it runs", () =>
    visit("#/allreduce?n=3&size=64KiB", async (page) => {
      await repeating(page);
      await page.eval(() => window.kept[1].terminate());
      await page.waitFor(idle, 20_000);
      await saysAndWorks(page, /Rank 1 stopped answering, .*Press Run again/);
    }, reach));

  test("panicking", () =>
    visit("#/allreduce?n=3&size=64KiB", async (page) => {
      await repeating(page);
      // To stop before what has begun is a programmer's error; tests/runtime.rs keeps the file.
      const file = await readFile(new URL("stop-after.json", import.meta.url), "utf8");
      await page.eval((protocol, bytes) => {
        window.kept[2].postMessage([protocol, new Uint8Array(bytes)]);
      }, ...JSON.parse(file));
      await page.waitFor(idle, 5_000);
      await saysAndWorks(page, /Rank 2 failed: .*repetition \d+ has begun.*new workers will/s);
    }, reach));

  test("failing without a word", () =>
    visit("#/allreduce?n=3&size=64KiB", async (page) => {
      await repeating(page);
      await page.eval(() => {
        window.kept[2].dispatchEvent(new ErrorEvent("error", { message: "unreachable" }));
      });
      await page.waitFor(idle, 5_000);
      await saysAndWorks(page, /Rank 2 failed: unreachable\. .*new workers will start/);
    }, reach));

  test("nonsense from a worker is ignored", () =>
    visit("#/allreduce?n=3", async (page) => {
      await run(page);
      await page.eval(() => {
        const worker = window.kept[0];
        for (const data of [null, 7, "x", [], [1, "x"], [1, new Uint8Array([255, 255, 255])], {},
          [2, new Uint8Array(3)], ["ringscope-failed"]]) {
          worker.dispatchEvent(new MessageEvent("message", { data }));
          worker.postMessage(data);
        }
      });
      await sleep(200);
      assert.deepEqual(await complaints(page), []);
      await run(page);
    }, reach));
});

test("a page may go before it has its answer, and no test fails for that", async () => {
  let end;
  const late = new Promise((resolve) => {
    end = resolve;
  });
  await place.visit("", async (page) => {
    const asked = page.raw.waitForEvent("request", (request) => /late/.test(request.url()));
    await page.raw.context().route("**/late", async (route) => {
      await sleep(300);
      end();
      await route.fetch();
    });
    await page.eval(() => {
      fetch("late").catch(() => {});
    });
    await asked;
  }, { own: true });
  await late;
  // An error of nobody's makes itself known a little later, and fails this file.
  await sleep(50);
});
