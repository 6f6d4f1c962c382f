// What holds in every browser, wherever the page may be put.
import { after, before, describe } from "node:test";
import { launch } from "./harness.mjs";
import { hostSite, serve, serveBelow } from "./servers.mjs";
import { boots } from "./suite-boot.mjs";
import { embeds } from "./suite-embed.mjs";
import { exports } from "./suite-export.mjs";
import { harness } from "./suite-harness.mjs";
import { isolates } from "./suite-isolate.mjs";
import { shares } from "./suite-shared.mjs";
import { sweeps } from "./suite-sweep.mjs";
import { visits } from "./suite-visit.mjs";

/** All suites in one browser, which is started once. */
export function everywhere(name) {
  const place = {};
  before(async () => {
    place.isolating = await serve();
    place.plain = await serve({ plain: true });
    place.below = await serveBelow("docs/ringscope");
    place.host = await hostSite();
    place.browser = await launch(name);
  });
  after(async () => {
    await place.browser?.close();
    const servers = [place.isolating, place.plain, place.below, place.host];
    await Promise.all(servers.map((server) => server?.close()));
  });
  for (const suite of [harness, boots, visits, embeds, exports, shares, isolates, sweeps]) {
    describe(`${suite.name} in ${name}`, () => suite(place));
  }
}
