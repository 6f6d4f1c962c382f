// What axe has to say about a page of Chromium's.
import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";

const RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];

/** What axe finds, one line per rule and element. What is in order is not written down for us. */
export async function violations(page, within = "html") {
  // The page has no frames, so axe need not put the parts of its report together in a second page.
  const axe = new AxeBuilder({ page: page.raw }).setLegacyMode();
  const looking = axe.options({ resultTypes: ["violations"] }).withTags(RULES).include(within);
  const { violations: found } = await looking.analyze();
  return found.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html.slice(0, 160)}
    ${node.failureSummary.split("\n").slice(1, 3).join(" ").trim()}`));
}

/** Asserts that it finds nothing. */
export async function clean(page, where, within) {
  const found = await violations(page, within);
  assert.equal(found.length, 0, `${where}:\n  ${found.join("\n  ")}`);
}
