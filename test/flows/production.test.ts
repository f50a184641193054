import { expect, it } from "vitest";
import { addUser } from "../../src/directory/users.ts";
import { randomToken } from "../../src/shared/crypto.ts";
import { ACCOUNTS, SETTINGS } from "../screenshots/content.ts";
import { openPages } from "../screenshots/open-pages.ts";
import { startSamespot } from "../support/samespot.ts";

const secrets = { ENCRYPTION_KEYS: randomToken(), SESSION_SECRETS: randomToken() };
const site = await startSamespot({ env: { ...SETTINGS, ...secrets, NODE_ENV: "production" } });

// It takes some seconds, as each page is a request to a program, and many of them to the directory as well.
it("C80: in production every page of the web app and of the directory opens", async () => {
  for (const account of Object.values(ACCOUNTS)) await addUser(site.database, account);
  const { opened, problems } = await openPages({ app: site.webUrl, auth: site.authUrl, api: site.apiUrl }, site.demo);
  expect(problems).toEqual([]);
  expect(opened).toBeGreaterThan(100);
});
