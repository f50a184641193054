import { createHmac } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "../../../src/shared/crypto.ts";
import { authorizePath, logIn } from "../../directory/auth/auth-host.ts";
import { formFields, type HttpClient, type Page } from "../../support/http-client.ts";
import { runningDirectory } from "../running-directory.ts";

const directory = await runningDirectory({ instances: 2, env: { SIGN_UP: "on" } });
const NAME = "samespot_directory";
const NOBODY = ["", ""];
type Person = Awaited<ReturnType<typeof directory.user>>;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  [ada, bob] = [await directory.user(), await directory.user()];
});

const cookieOf = (browser: HttpClient): string => browser.cookies.get(NAME) ?? "";
const idOf = (cookie: string): string => decodeURIComponent(cookie).split(".")[0] ?? "";

async function loggedInAs(user: Person): Promise<HttpClient> {
  const browser = directory.browser();
  await logIn(browser, await browser.get("/login"), user);
  return browser;
}

/** Returns the handle for a Cookie header at each instance; "" for a guest. */
function speaksFor(header: string): Promise<string[]> {
  const ask = async ({ auth }: { auth: string }) => {
    const reply = await fetch(`${auth}/settings`, { headers: { cookie: header }, redirect: "manual" });
    if (reply.status === 303 && reply.headers.get("location") === "/login") return "";
    return /Logged in as <b><bdi>([^<]+)</.exec(await reply.text())?.[1] ?? `status ${reply.status}`;
  };
  return Promise.all(directory.instances.map(ask));
}

const ownerOf = (cookie: string) => speaksFor(`${NAME}=${cookie}`);

/** Returns the database row of a cookie's session. */
async function rowOf(cookie: string) {
  const text = "SELECT ended_at IS NOT NULL AS ended, data FROM directory.session WHERE id_hash = $1";
  const { rows } = await directory.database.pool.query(text, [Buffer.from(sha256(idOf(cookie)))]);
  return rows;
}
const ENDED = [{ ended: true, data: {} }];

it("B28: a session id known before a log-in is invalid after it, and its session has ended", async () => {
  const browser = directory.browser();
  const login = await browser.get("/login");
  const planted = cookieOf(browser);
  await logIn(browser, login, ada);
  const first = cookieOf(browser);
  const open = formFields(await browser.get("/settings"), "/logout");
  await logIn(browser, await browser.get("/login"), bob);
  const second = cookieOf(browser);
  const newcomer = { handle: "b28", firstName: "Bea", password: "long enough" };
  await browser.submit(await browser.get("/sign-up"), "/sign-up", newcomer);
  const cookies = [planted, first, second, cookieOf(browser)];
  expect(new Set(cookies.map(idOf)).size).toBe(4);
  expect(await Promise.all(cookies.map(ownerOf))).toEqual([NOBODY, NOBODY, NOBODY, ["b28", "b28"]]);
  for (const each of cookies.slice(0, 3)) expect(await rowOf(each)).toEqual(ENDED);
  expect((await browser.post("/settings/disconnect", open)).status).toBe(403);
});

it("B28: an invalid session cookie counts as no session and causes no error", async () => {
  const cookie = cookieOf(await loggedInAs(ada));
  const other = cookieOf(await loggedInAs(bob));
  expect(await ownerOf(cookie)).toEqual([ada.handle, ada.handle]);
  const [id, plain] = [idOf(cookie), decodeURIComponent(cookie)];
  const signedBy = (secret: string) =>
    encodeURIComponent(`${id}.${createHmac("sha256", secret).update(id).digest("base64").replace(/=+$/, "")}`);
  const hash = Buffer.from(sha256(id));
  const values = [
    ...[id, `${id}.`, `${id}.x`, `.${plain.split(".")[1]}`, `${id.slice(1)}.${plain.split(".")[1]}`],
    ...[signedBy("x".repeat(43)), signedBy(""), cookie.slice(0, -1), cookie.slice(0, 20), `${cookie}x`, `x${cookie}`],
    ...[hash.toString("base64url"), hash.toString("hex"), "", "%", "%E0%A4%A", "null", "[object Object]"],
    ...["x".repeat(8000), `${cookie}${"x".repeat(8000)}`, "é"],
  ];
  for (const value of values) expect([value, await ownerOf(value)]).toEqual([value, NOBODY]);
  const [good, another] = [`${NAME}=${cookie}`, `${NAME}=${other}`];
  for (const [one, two] of [
    [good, another],
    [another, good],
    [good, `${NAME}=x`],
    [`${NAME}=x`, good],
    [good, good],
  ])
    expect(await speaksFor(`${one}; a=b; ${two}`)).toEqual(NOBODY);
  expect(await Promise.all([good, another].map(speaksFor))).toEqual([
    [ada.handle, ada.handle],
    [bob.handle, bob.handle],
  ]);
});

it("B28: a log-out requires a POST with the form token, ends the session on every instance, and clears the cookie", async () => {
  const browser = directory.browser();
  const attributes = ({ headers }: Page) => {
    const [line = ""] = headers.getSetCookie();
    return line
      .replace(/; (Max-Age|Expires)=[^;]*/g, "")
      .split("; ")
      .slice(1)
      .sort();
  };
  const login = await browser.submit(await browser.get("/login"), "/login", ada);
  const cookie = cookieOf(browser);
  const foreign = formFields(await (await loggedInAs(bob)).get("/settings"), "/logout")._csrf ?? "";
  const page = await browser.get("/settings");
  const own = formFields(page, "/logout")._csrf ?? "";
  for (const method of ["GET", "HEAD", "PUT", "DELETE"]) {
    const headers = { cookie: `${NAME}=${cookie}` };
    expect((await fetch(`${directory.auth}/logout?_csrf=${own}`, { method, headers })).status).toBe(405);
  }
  for (const _csrf of ["", foreign]) expect((await browser.post("/logout", { _csrf })).status).toBe(403);
  for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }, { origin: "null" }])
    expect((await browser.post("/logout", { _csrf: own }, headers as Record<string, string>)).status).toBe(403);
  expect(await ownerOf(cookie)).toEqual([ada.handle, ada.handle]);

  const out = await browser.submit(page, "/logout");
  expect([out.status, out.location, browser.cookies.has(NAME)]).toEqual([303, `${directory.auth}/`, false]);
  expect(attributes(out)).toEqual(attributes(login));
  expect(attributes(out)).toEqual(["HttpOnly", "Path=/", "SameSite=Lax"]);
  expect([await ownerOf(cookie), await rowOf(cookie)]).toEqual([NOBODY, ENDED]);
});

describe("B28: a session that ends during its own request", () => {
  it("B28: stays ended when the request reads", async () => {
    const browser = await loggedInAs(ada);
    const cookie = cookieOf(browser);
    const page = await browser.get("/settings");
    // A message to show once: the page that shows it removes it from the session.
    await browser.post("/settings/disconnect", { ...formFields(page, "/logout"), client_id: "nobody" });
    const holder = await directory.database.pool.connect();
    await holder.query("BEGIN; LOCK TABLE directory.authorization IN ACCESS EXCLUSIVE MODE");
    const inFlight = browser.get("/settings");
    const waits = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'directory.authorization'::regclass";
    while ((await directory.database.pool.query(waits)).rowCount === 0) await sleep(10);
    expect((await browser.submit(page, "/logout")).status).toBe(303);
    await holder.query("ROLLBACK");
    holder.release();
    expect((await inFlight).status).toBe(200);
    expect([await ownerOf(cookie), await rowOf(cookie)]).toEqual([NOBODY, ENDED]);
  });

  it("B28: stays ended when the request writes", async () => {
    const browser = await loggedInAs(ada);
    const cookie = cookieOf(browser);
    const page = await browser.get("/settings");
    const body = new URLSearchParams({ ...formFields(page, "/logout"), client_id: "nobody" }).toString();
    const type = { "content-type": "application/x-www-form-urlencoded", "content-length": body.length };
    const headers = { ...type, cookie: `${NAME}=${cookie}` };
    const call = request(`${directory.auth}/settings/disconnect`, { method: "POST", headers });
    const answered = once(call, "response") as Promise<[IncomingMessage]>;
    call.write(body.slice(0, 10));
    await sleep(2000); // by now the session was read
    expect((await browser.submit(page, "/logout")).status).toBe(303);
    call.end(body.slice(10));
    const [answer] = await answered;
    expect(answer.resume().statusCode).toBe(303);
    await once(answer, "end");
    expect([await ownerOf(cookie), await rowOf(cookie)]).toEqual([NOBODY, ENDED]);
  });
});

describe("B28: a form from another site logs no browser in", () => {
  it.each(["/login", "/sign-up"])("B28: at %s, for any victim", async (path) => {
    const attacker = directory.browser();
    const { _csrf = "" } = formFields(await attacker.get(path), path);
    const fields = { ...bob, firstName: "Bob", handle: path === "/login" ? bob.handle : "csrf" };
    const { clientId } = await directory.application();
    const request = formFields(await attacker.get(authorizePath(clientId)), "/login").request ?? "";
    // For a new browser, a guest and a logged-in user.
    expect((await directory.browser().post(path, { ...fields, _csrf })).status).toBe(403);
    for (const victim of [directory.browser(), await loggedInAs(ada)]) {
      const own = formFields(await victim.get(path), path)._csrf ?? "";
      const [cookie, owner] = [cookieOf(victim), await ownerOf(cookieOf(victim))];
      const forged: [token: string, headers: Record<string, string>][] = [
        [_csrf, {}],
        ["", {}],
        [own, { origin: "https://evil.example" }],
        [own, { origin: "null" }],
        [own, { "sec-fetch-site": "cross-site" }],
        [own, { "sec-fetch-site": "same-site", origin: directory.api }],
      ];
      for (const [token, headers] of forged)
        for (const more of [{}, { request }]) {
          const answer = await victim.post(path, { ...fields, ...more, _csrf: token }, headers);
          expect([answer.status, answer.location, cookieOf(victim)]).toEqual([403, "", cookie]);
        }
      expect(await ownerOf(cookie)).toEqual(owner);
    }
    expect(await directory.deps.prisma.user.count({ where: { handle: "csrf" } })).toBe(0);
  });
});
