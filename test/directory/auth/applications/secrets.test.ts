import { describe, expect, it } from "vitest";
import { endSecret, listSecrets, rotateSecret } from "../../../../src/directory/applications/secrets.ts";
import { expectNoSecrets } from "../../../support/canaries.ts";
import { createHttpClient, type HttpClient } from "../../../support/http-client.ts";
import { authHost, CALLBACK, codeFor, exchange, loggedIn } from "../auth-host.ts";
import { press, register, registered, rotate, secretOn } from "./forms.ts";

const host = await authHost({ hasTwin: true });
const { deps } = host;
const developer = async () => loggedIn(host, await host.user());

let walker: HttpClient | undefined;

/** Returns whether the secret exchanges a code at this instance. */
async function works(clientId: string, clientSecret: string, url = host.url): Promise<boolean> {
  walker ??= await developer();
  const code = await codeFor(walker, clientId);
  const { status, body } = await exchange({ ...host, url }, { clientId, clientSecret }, code);
  if (status === 200) return true;
  expect(body.error).toBe("invalid_client");
  return false;
}

function atTwin(browser: HttpClient): HttpClient {
  const twin = createHttpClient(host.twin);
  for (const [name, value] of browser.cookies) twin.cookies.set(name, value);
  return twin;
}

describe("a secret rotation", () => {
  it("B35: keeps old and new secrets valid until the old one ends, and shows its continued use", async () => {
    const browser = await developer();
    const { path, clientId, clientSecret: first } = await registered(browser);
    await works(clientId, first);
    await expect.poll(async () => (await listSecrets(deps, clientId))[0]?.lastUsedAt).not.toBeNull();
    await deps.pool.query("UPDATE directory.application_secret SET last_used_at = last_used_at - interval '2 seconds'");
    const second = secretOn(await rotate(browser, path, "24h"));
    expect((await browser.get(path)).body).toContain("Not used since the current secret was created.");
    expect([await works(clientId, first), await works(clientId, second)]).toEqual([true, true]);
    await expect.poll(async () => (await browser.get(path)).body).toContain("a program still needs it");
    expect((await browser.get(path)).body).toMatch(/Ends <time [^>]+>in 24 h</);
    await deps.pool.query(
      "UPDATE directory.application_secret SET expires_at = expires_at - interval '24 hours' WHERE client_id = $1",
      [clientId],
    );
    expect([await works(clientId, first), await works(clientId, second)]).toEqual([false, true]);
    expect((await browser.get(path)).body).not.toContain("Older secret");
  });

  it.each([
    ["0", 0],
    ["1h", 1],
    ["24h", 24],
    ["7d", 168],
  ])("with the overlap %s keeps the old secret valid for %d hours", async (overlap, hours) => {
    const browser = await developer();
    const { path, clientId, clientSecret } = await registered(browser);
    await rotate(browser, path, overlap);
    const [, old] = await listSecrets(deps, clientId);
    const left = old?.expiresAt ? (old.expiresAt.getTime() - old.now.getTime()) / 3_600_000 : 0;
    expect(left).toBeGreaterThan(hours - 0.01);
    expect(left).toBeLessThanOrEqual(hours);
    expect(await works(clientId, clientSecret)).toBe(hours > 0);
  });

  it.each(["", "8d", "90d", "-1h", "24h; x"])("rejects the overlap %j", async (overlap) => {
    const browser = await developer();
    const { path, clientId } = await registered(browser);
    const answer = await rotate(browser, path, overlap);
    expect([answer.status, secretOn(answer)]).toEqual([400, ""]);
    expect(answer.body).toContain("Choose how long the current secret keeps working.");
    expect(await listSecrets(deps, clientId)).toHaveLength(1);
  });

  it("rejects an overlap of more than 7 days outside the form too", async () => {
    const { clientId } = await host.application();
    await expect(rotateSecret(deps, clientId, { overlapHours: 169 })).rejects.toThrow("between 0 hours and 7 days");
    await rotateSecret(deps, clientId, { overlapHours: 168 });
  });

  it("B36: happens once when two instances receive it at the same time, and the secret in use stays valid", async () => {
    const browser = await developer();
    const { path, clientId, clientSecret } = await registered(browser);
    const forms = [];
    for (const each of [browser, atTwin(browser)]) forms.push({ each, page: await each.get(path) });
    const answers = await Promise.all(
      forms.map(({ page, each }) => each.submit(page, `${path}/secrets`, { overlap: "24h" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toContain("The secret was replaced in the meantime");
    expect(await listSecrets(deps, clientId)).toHaveLength(2);
    expect(await works(clientId, clientSecret)).toBe(true);
  });

  it("B36: leaves at most two valid secrets, however often it is repeated", async () => {
    const browser = await developer();
    const { path, clientId, clientSecret } = await registered(browser);
    const secrets = [clientSecret];
    for (const each of [browser, atTwin(browser), browser]) secrets.push(secretOn(await rotate(each, path, "7d")));
    expect(new Set(secrets).size).toBe(4);
    const alive = [];
    for (const secret of secrets) alive.push(await works(clientId, secret));
    expect(alive).toEqual([false, false, true, true]);
  });
});

describe("a client secret on the application's page", () => {
  it("B36: stops working on both instances as soon as it is ended", async () => {
    const browser = await developer();
    const { path, clientId, clientSecret: first } = await registered(browser);
    const second = secretOn(await rotate(browser, path, "7d"));
    expect([await works(clientId, first), await works(clientId, first, host.twin)]).toEqual([true, true]);
    const page = await press(browser, path, "/secrets/end");
    expect(page.body).toContain("The secret has been ended and no longer works.");
    expect([await works(clientId, first), await works(clientId, first, host.twin)]).toEqual([false, false]);
    expect([await works(clientId, second), await works(clientId, second, host.twin)]).toEqual([true, true]);
  });

  it("cannot be ended when it is current, unknown or another application's", async () => {
    const browser = await developer();
    const { path, clientId, clientSecret } = await registered(browser);
    const other = await host.application();
    await rotateSecret(deps, other.clientId, { overlapHours: 1 });
    const foreign = (await listSecrets(deps, other.clientId))[1]?.id ?? "";
    const current = (await listSecrets(deps, clientId))[0]?.id ?? "";
    await rotate(browser, path, "1h");
    const now = (await listSecrets(deps, clientId))[0]?.id ?? "";
    const end = async (secret: string) => {
      const { status, body } = await press(browser, path, "/secrets/end", { secret });
      return [status, /does not exist or has already ended|This is the current secret|has been ended/.exec(body)?.[0]];
    };
    expect(await end(now)).toEqual([409, "This is the current secret"]);
    for (const secret of [foreign, "", "x", "\0", "0".repeat(9000)])
      expect(await end(secret)).toEqual([404, "does not exist or has already ended"]);
    expect(await works(clientId, clientSecret)).toBe(true);
    expect(await listSecrets(deps, other.clientId)).toHaveLength(2);
    await endSecret(deps, clientId, current);
    await expect(endSecret(deps, clientId, current)).rejects.toMatchObject({ status: 404 });
  });
});

it("an application can change its own secret by a call while its owner allows that", async () => {
  const browser = await developer();
  const { page, path, clientId, clientSecret } = await registered(browser);
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
  const statusOfCall = async () =>
    (await fetch(`${host.url}/oauth2/client_secret`, { headers: { authorization } })).status;
  expect(page.body).toMatch(/name="rotatesItself"><span>The application may change its own secret through the API\./);
  expect(await statusOfCall()).toBe(403);
  const typed = { name: "Weekend walks", redirectUris: CALLBACK, redirectMatch: "exact" };
  const allowed = await press(browser, path, "", { ...typed, rotatesItself: "on" });
  expect(allowed.body).toMatch(/name="rotatesItself" checked>/);
  expect(allowed.body).toContain(`<code id="address-secret">${host.url}/oauth2/client_secret</code>`);
  expect(await statusOfCall()).toBe(200);
  const refused = await press(browser, path, "", { ...typed, rotatesItself: "" });
  expect(refused.body).not.toContain("address-secret");
  expect(await statusOfCall()).toBe(403);
});
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
