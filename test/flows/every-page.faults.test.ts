import { expect, it } from "vitest";
import { addUser } from "../../src/directory/users.ts";
import { ACCOUNTS, SETTINGS } from "../screenshots/content.ts";
import { openPages } from "../screenshots/open-pages.ts";
import { startSamespot } from "../support/samespot.ts";

const site = await startSamespot({ env: SETTINGS });

it("C80: every page of the web app and of the directory opens", async () => {
  for (const account of Object.values(ACCOUNTS)) await addUser(site.database, account);
  const { opened, problems } = await openPages({ app: site.webUrl, auth: site.authUrl, api: site.apiUrl }, site.demo);
  expect(problems).toEqual([]);
  expect(opened).toBeGreaterThan(100);
});
