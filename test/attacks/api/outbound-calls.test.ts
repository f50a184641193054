import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { generate } from "selfsigned";
import { afterAll, beforeEach, expect, it } from "vitest";
import { expectNoSecrets } from "../../support/canaries.ts";
import {
  answersError,
  answersHtml,
  type Behaviour,
  cutsAfter,
  hangs,
  redirectsTo,
  truncates,
} from "../../support/fake-directory/behaviours.ts";
import { startFakeDirectory } from "../../support/fake-directory/fake-directory.ts";
import type { HttpClient } from "../../support/http-client.ts";
import { logInUnvisited, sessionOf, startWeb } from "../../web/web-app.ts";

const impostor = await selfSigned();
const trap = await startFakeDirectory();
afterAll(trap.close);
const web = await startWeb({ deadlineMs: 500 });
const atImpostors = [
  await startWeb({ env: { AUTH_URL: impostor.url } }),
  await startWeb({ env: { BASE_URL: impostor.url } }),
];
const { directory } = web;

beforeEach(() => {
  directory.reset();
  trap.reset();
});

/** Starts an https server for this host name with an untrusted certificate. */
async function selfSigned() {
  const extensions = [{ name: "subjectAltName" as const, altNames: [{ type: 2 as const, value: "localhost" }] }];
  const made = await generate([{ name: "commonName", value: "localhost" }], {
    ...{ keyType: "ec", algorithm: "sha256" },
    extensions,
  });
  const heard = { connections: 0, requests: 0 };
  const server = createServer({ cert: made.cert, key: made.private }, (_request, response) => {
    heard.requests += 1;
    response.end("{}");
  });
  server.on("connection", (socket) => {
    heard.connections += 1;
    socket.on("error", () => {}); // the caller hangs up
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  afterAll(() => server.close());
  return { url: `https://localhost:${(server.address() as AddressInfo).port}`, heard };
}

const PAGES = ["/venues?query=coffee&ll=41.8,-71.4", "/checkins", "/venues/new?ll=41.8,-71.4", "/venues/abc"];

async function seeEverything(browser: HttpClient): Promise<void> {
  for (const page of PAGES) await browser.get(page);
}

it("C19: calls to the directory carry no referrer, origin or cookie, and send each secret to its own host only", async () => {
  const browser = await web.logIn();
  await seeEverything(browser);
  expect(directory.requests.length).toBeGreaterThanOrEqual(6);
  for (const { host, path, headers, params } of directory.requests) {
    const { referer, origin, cookie, authorization } = headers;
    expect([path, referer, origin, cookie, authorization]).toEqual([path, ...Array(4).fill(undefined)]);
    expect([path, host]).toEqual([path, /^\/(oauth2|\.well-known)\//.test(path) ? "auth" : "api"]);
    expect([path, "oauth_token" in params && "client_secret" in params]).toEqual([path, false]);
    expect([path, host === "api" && "code" in params]).toEqual([path, false]);
  }
  for (const id of [
    "%2f%2fevil.example",
    "..%2f..%2foauth2",
    "http:%2f%2fevil.example",
    "abc%3foauth_token=x",
    "@evil",
  ]) {
    directory.reset();
    expect([id, (await browser.get(`/venues/${id}`)).status]).toEqual([id, 404]);
    expect([id, directory.requests.map(({ path }) => path)]).toEqual([id, []]);
  }
});

it("C19: the app follows no redirect of the directory, whatever its target", async () => {
  const browser = await web.logIn();
  const elsewhere = [
    trap.baseUrl,
    trap.authUrl,
    directory.baseUrl,
    "//evil.example",
    trap.baseUrl.replace("127.0.0.1", "localhost"),
  ];
  for (const [index, status] of [301, 302, 303, 307, 308].entries()) {
    directory.reset();
    directory.behave("/*", redirectsTo(`${elsewhere[index]}/elsewhere?stolen=1`, status));
    await seeEverything(browser);
    const fresh = web.newBrowser();
    const state = new URL((await fresh.get("/login")).location).searchParams.get("state") ?? "";
    const page = await fresh.get(`/login/callback?code=some-code&state=${state}`);
    expect([status, page.status, page.location, sessionOf(fresh)]).toEqual([status, 502, "", undefined]);
    expect(directory.requests.length).toBeGreaterThanOrEqual(4);
    expect(directory.requests.map(({ path }) => path)).not.toContain("/elsewhere");
    expect(trap.requests).toEqual([]);
  }
});

it("C19: a directory with an untrusted certificate receives no request", async () => {
  for (const each of atImpostors) {
    const before = impostor.heard.connections;
    const { page, browser } = await logInUnvisited(each);
    expect([page.status, sessionOf(browser)]).toEqual([503, undefined]);
    expect(impostor.heard.connections).toBeGreaterThan(before);
  }
  expect(impostor.heard.requests).toBe(0);
});

it("C17: no log line of the web app holds a secret of a failed call, even at trace", async () => {
  const browser = await web.logIn();
  const states: string[] = [];
  const misfortunes: Behaviour[] = [
    ...[hangs(), cutsAfter(0), cutsAfter(20), truncates(), answersHtml(), answersHtml(503)],
    ...[answersError(500, "server_error"), answersError(400, "param_error"), redirectsTo(`${trap.baseUrl}/?x=1`)],
  ];
  for (const misfortune of misfortunes) {
    directory.reset();
    const fresh = web.newBrowser();
    const callback = await web.beginLogin(fresh);
    states.push(new URL(callback).searchParams.get("state") ?? "");
    directory.behave("/oauth2/access_token", misfortune);
    directory.behave("/v2/*", misfortune);
    expect((await fresh.get(callback)).status).toBeGreaterThanOrEqual(400);
    await browser.get(PAGES[0] ?? "");
  }
  const text = web.logs.text();
  expect(text.match(/GET \/login\/callback/g)?.length).toBeGreaterThanOrEqual(misfortunes.length);
  const session = decodeURIComponent(sessionOf(browser) ?? "");
  expectNoSecrets(
    { logs: text },
    { directory: directory.secrets, state: states, session: [session, session.split(".")[0] ?? ""] },
  );
});
