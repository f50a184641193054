import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { hasPgBouncer, startPgBouncer } from "../support/database/pgbouncer.ts";
import { startSamespot } from "../support/samespot.ts";
import { harmonize } from "./harmonize-walk.ts";
import { newcomer, visitorsOf } from "./visitor.ts";
import { walk } from "./walk.ts";

describe.skipIf(!hasPgBouncer)("behind PgBouncer in transaction mode", async () => {
  const pooled = async (url: string) => ({ DIRECT_DATABASE_URL: url, DATABASE_URL: (await startPgBouncer(url)).url });
  const site = await startSamespot({ env: pooled });
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  const visitor = visitorsOf(site, () => browser);

  it("the walk works while another user uploads a file, tries, matches, reviews it with an add and an undo, and downloads it", async () => {
    const [first, second] = [
      await visitor({ name: "pooled", isChecked: false }),
      await visitor({ name: "pooled harmonize", isChecked: false }),
    ];
    const account = await newcomer(site, "other");
    const [checkins, exported] = await Promise.all([
      walk(first),
      harmonize({ ...second, account }, { added: "Café behind PgBouncer" }),
    ]);
    expect(checkins).toBeGreaterThan(100);
    expect(exported.match(/,added,/g)).toHaveLength(1);
    expect(site.logs.lines.filter((line) => /"level":(40|50|60)/.test(line))).toEqual([]);
  });
});
