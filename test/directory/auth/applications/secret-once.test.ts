import { expect, it } from "vitest";
import { expectNoSecrets } from "../../../support/canaries.ts";
import { authHost, loggedIn } from "../auth-host.ts";
import { register, registered, secretOn } from "./forms.ts";

const host = await authHost();
const { deps } = host;
const developer = async () => loggedIn(host, await host.user());
const SECRET = /^[\w-]{43}$/;

/** Every row of every table as text, like a dump. */
async function dump(): Promise<string> {
  const { rows: tables } = await deps.pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('app', 'directory')`,
  );
  const texts = tables.map(({ name }) => deps.pool.query(`SELECT string_agg(t::text, E'\\n') AS text FROM ${name} t`));
  return (await Promise.all(texts)).map(({ rows }) => rows[0].text ?? "").join("\n");
}

it("B38: a new secret is shown once: neither after a reload, nor on another page, in a log or in the database", async () => {
  const browser = await developer();
  const answer = await register(browser);
  const waiting = await dump();
  const page = await browser.follow(answer);
  const [path, first] = [new URL(page.url).pathname, secretOn(page)];
  expect(first).toMatch(SECRET);
  expect(page.headers.get("cache-control")).toBe("no-store");
  const rotation = await browser.submit(await browser.get(path), `${path}/secrets`, { overlap: "24h" });
  const waitingAgain = await dump();
  const rotated = await browser.follow(rotation);
  const second = secretOn(rotated);
  expect(second).toMatch(SECRET);
  expect(second).not.toBe(first);
  const later = await Promise.all([path, "/applications", "/settings", path].map((each) => browser.get(each)));
  const haystacks = {
    logs: host.logs.text(),
    "the redirects": [answer, rotation]
      .map(({ location, body, headers }) => `${location} ${body} ${[...headers]}`)
      .join(),
    "the page after the first rotation": rotated.body.replaceAll(second, ""),
    "later pages": later.map(({ body, headers }) => `${body} ${[...headers]}`).join("\n"),
    "the database while it waits": waiting + waitingAgain,
    "the database afterwards": await dump(),
  };
  expectNoSecrets(haystacks, { "client secret": [first, second] });
});

it("B38: a new secret is shown for its own application and session only, and for ten minutes", async () => {
  const [ada, bob] = [await developer(), await developer()];
  const other = await registered(ada);
  const { location } = await register(ada);
  const clientId = location.split("/").at(-1);
  expect(secretOn(await ada.get(other.path))).toBe("");
  const mine = await registered(bob);
  const { rows } = await deps.pool.query(
    `SELECT data->'newSecret' AS kept FROM directory.session WHERE data->'newSecret'->>'clientId' = $1`,
    [clientId],
  );
  const copied = await deps.pool.query(
    `UPDATE directory.session SET data = data || jsonb_build_object('newSecret', $1::jsonb || jsonb_build_object('clientId', $2::text))
      WHERE user_id = (SELECT owner_id FROM directory.application WHERE client_id = $2)`,
    [JSON.stringify(rows[0].kept), mine.clientId],
  );
  expect(copied.rowCount).toBe(1);
  expect(secretOn(await bob.get(mine.path))).toBe("");
  const move =
    "UPDATE directory.session SET data = jsonb_set(data, '{newSecret,until}', $2) WHERE data->'newSecret'->>'clientId' = $1";
  await deps.pool.query(move, [clientId, String(Date.now() - 1)]);
  expect(secretOn(await ada.get(location))).toBe("");
  const kept = "SELECT FROM directory.session WHERE data->'newSecret'->>'clientId' = ANY($1)";
  expect((await deps.pool.query(kept, [[clientId, mine.clientId]])).rowCount).toBe(0);
  const again = await register(ada);
  expect(secretOn(await ada.get(again.location))).toMatch(SECRET);
});
