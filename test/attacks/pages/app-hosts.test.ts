import { beforeAll, describe, expect, it } from "vitest";
import { assetBase } from "../../../src/http/files/assets.ts";
import { rawRequest } from "../../directory/auth/auth-host.ts";
import type { HttpClient } from "../../support/http-client.ts";
import { runningApps } from "../running-apps.ts";

const apps = await runningApps();
const ADDRESSES = [apps.url, apps.authUrl, apps.apiUrl];
let member: HttpClient;
let cookie = "";

beforeAll(async () => {
  member = apps.newBrowser();
  await apps.logIn(member);
  cookie = [...member.cookies].map((pair) => pair.join("=")).join("; ");
});

describe("W16: a request for another host", () => {
  const HOSTS = [
    "evil.example",
    "localhost.evil.example",
    "evil.example:80",
    "localhost:1",
    "[::1]:1",
    "localhost@evil.example",
  ];
  const PAGES = [
    "/",
    "/login",
    "/login?next=/venues",
    "/settings",
    "/venues?query=x",
    "/venues/new",
    "/checkins",
    "/admin",
    "/nothing",
  ];

  it("W16: is refused on every page, and no link leads to that host", async () => {
    for (const host of HOSTS)
      for (const path of PAGES) {
        const { status, headers, body } = await rawRequest(apps.url + path, { headers: { host, cookie } });
        expect([host, path, status, headers.location]).toEqual([host, path, expect.toBeOneOf([400, 421]), undefined]);
        expect([host, path, body.includes("evil.example")]).toEqual([host, path, false]);
      }
    for (const path of ["/login", "/settings", "/oauth2/authorize?client_id=x"]) {
      const { status, body } = await rawRequest(apps.authUrl + path, { headers: { host: "evil.example" } });
      expect([path, status, body.includes("evil.example")]).toEqual([path, 421, false]);
    }
  });

  it("W16: has no effect through proxy headers either", async () => {
    const told = { "x-forwarded-host": "evil.example", "x-host": "evil.example", "x-original-host": "evil.example" };
    for (const address of ADDRESSES)
      for (const path of [...PAGES, "/docs", "/reconcile/1.0", "/.well-known/oauth-authorization-server"]) {
        const { status, headers, body } = await rawRequest(address + path, { headers: { ...told, cookie } });
        expect([path, status < 500]).toEqual([path, true]);
        expect([path, `${headers.location} ${body}`.includes("evil.example")]).toEqual([path, false]);
      }
    const { body } = await rawRequest(`${apps.apiUrl}/reconcile/1.0`, { headers: { host: "evil.example" } });
    expect(body).not.toContain("evil.example");
  });
});

describe("W06: the directory's listeners", () => {
  it("W06: send the same headers with files and every kind of error, 429 included", async () => {
    const big = new URLSearchParams({ handle: "x".repeat(70_000), shout: "x".repeat(70_000) });
    const JSON_TYPE = { "content-type": "application/json" };
    const calls: [status: number, address: string, init?: RequestInit][] = [
      [200, `${apps.authUrl}/`],
      [200, `${apps.authUrl}${assetBase}/app.js`],
      [200, `${apps.authUrl}/.well-known/oauth-authorization-server`],
      [404, `${apps.authUrl}/nothing`],
      [404, `${apps.authUrl}${assetBase}/nothing.js`],
      [405, `${apps.authUrl}/logout`],
      [413, `${apps.authUrl}/login`, { method: "POST", body: big }],
      [415, `${apps.authUrl}/login`, { method: "POST", body: "{}", headers: JSON_TYPE }],
      [200, `${apps.apiUrl}/`],
      [404, `${apps.apiUrl}/v2/nothing`],
      [405, `${apps.apiUrl}/v2/venues/search`, { method: "PUT" }],
      [413, `${apps.apiUrl}/v2/checkins/add`, { method: "POST", body: big }],
    ];
    for (const [status, address, init] of calls) await expectHeaders(status, address, init);
    await apps.deps.pool.query("ALTER TABLE directory.application RENAME TO gone");
    await expectHeaders(500, `${apps.authUrl}/oauth2/authenticate?client_id=x&response_type=code`);
    await apps.deps.pool.query("ALTER TABLE directory.gone RENAME TO application");
    const wrong = `${apps.apiUrl}/v2/users/self?v=20260101&oauth_token=wrong`;
    await expectHeaders(401, wrong);
    await apps.deps.pool.query("UPDATE directory.rate_count SET count = 5000 WHERE subject LIKE 'refused calls%'");
    await expectHeaders(429, wrong);
  });

  async function expectHeaders(status: number, address: string, init: RequestInit = {}) {
    const reply = await fetch(address, { redirect: "manual", ...init });
    const isApi = address.startsWith(apps.apiUrl);
    expect([address, reply.status, Object.fromEntries(reply.headers)]).toMatchObject([
      address,
      status,
      {
        "content-security-policy": expect.stringContaining("object-src 'none'; base-uri 'none'"),
        "x-content-type-options": "nosniff",
        "referrer-policy": isApi ? "no-referrer" : "same-origin",
        "cross-origin-opener-policy": expect.stringMatching(/^(same-origin-allow-popups|unsafe-none)$/),
        "cross-origin-resource-policy": expect.stringMatching(/^(same|cross)-origin$/),
        "x-frame-options": "DENY",
      },
    ]);
  }
});

it("A15: a log-in or log-out on one instance applies to the other", async () => {
  const browser = apps.newBrowser();
  const pages = async (path = "/settings") => {
    const statuses = [];
    for (const instance of [0, 1]) {
      apps.balancer.sendTo(instance);
      statuses.push((await browser.get(path)).status);
    }
    return statuses;
  };
  apps.balancer.sendTo(0);
  await apps.logIn(browser);
  const { cookies } = browser;
  const session = cookies.get("samespot") ?? "";
  expect(await pages()).toEqual([200, 200]);
  apps.balancer.sendTo(1);
  const page = await browser.get("/settings");
  apps.balancer.sendTo(0);
  expect((await browser.submit(page, "/logout")).status).toBe(303);
  cookies.set("samespot", session);
  expect(await pages()).toEqual([303, 303]);
  apps.balancer.sendTo();
});
