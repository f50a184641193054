import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { freePort } from "../../support/free-port.ts";
import { startWeb } from "../../web/web-app.ts";
import { runningDirectory } from "../running-directory.ts";

const APP = "https://samespot.example.org";
const AUTH = "https://login.example.org";

/** Starts the web app and the auth host at https addresses with this TRUST_PROXY. */
async function behind(TRUST_PROXY: string) {
  const [APP_PORT, AUTH_PORT] = [String(await freePort()), String(await freePort())];
  const web = await startWeb({ env: { APP_URL: APP, APP_PORT, TRUST_PROXY } });
  const directory = await runningDirectory({ env: { AUTH_URL: AUTH, AUTH_PORT, TRUST_PROXY } });
  const { logs } = directory;
  return [
    { port: APP_PORT, host: new URL(APP).host, start: "/login", logs: web.logs, cookie: "__Host-samespot_login_" },
    { port: AUTH_PORT, host: new URL(AUTH).host, start: "/login", logs, cookie: "__Host-samespot_directory=" },
  ];
}
type Listener = Awaited<ReturnType<typeof behind>>[number];

/** Sends a request like a proxy that forwards a browser's. */
function get({ port, host }: Pick<Listener, "port" | "host">, path: string, headers: Record<string, string>) {
  return new Promise<{ status: number; cookies: string[]; text: string }>((resolve, reject) => {
    const call = request({ port, path, headers: { host, accept: "text/html", ...headers }, agent: false }, (reply) => {
      let text = "";
      reply.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      const cookies = reply.headers["set-cookie"] ?? [];
      reply.on("end", () => resolve({ status: reply.statusCode ?? 0, cookies, text }));
    });
    call.on("error", reject).end();
  });
}

/** Starts the API host at an https address. */
async function apiBehind(TRUST_PROXY: string) {
  const API_PORT = String(await freePort());
  const { logs } = await runningDirectory({ env: { BASE_URL: "https://api.example.org", API_PORT, TRUST_PROXY } });
  return { port: API_PORT, logs };
}

const TOLD = { "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9" };
const warnings = ({ logs }: Listener) => logs.lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 40);

describe("a reverse proxy", async () => {
  const [right, wrong] = [await behind("127.0.0.0/8"), await behind("192.0.2.1")];

  it("W17: gets Secure cookies when TRUST_PROXY names it and its headers report https", async () => {
    for (const listener of right) {
      const { status, cookies } = await get(listener, listener.start, TOLD);
      expect([200, 303]).toContain(status);
      expect(cookies.join("\n")).toContain(listener.cookie);
      for (const cookie of cookies) expect(cookie).toMatch(/; Secure/);
    }
  });

  it.each([
    ["that TRUST_PROXY does not name", wrong, TOLD, "is not in TRUST_PROXY"],
    [
      "that does not say https",
      right,
      { "x-forwarded-for": "203.0.113.9" },
      "does not say that it was https (X-Forwarded-Proto)",
    ],
  ])("W17: %s gets a message on every page and no cookie, and one log line", async (_case, listeners, headers, why) => {
    for (const listener of listeners) {
      const before = warnings(listener).length;
      for (const path of ["/", listener.start, "/login/callback?code=x&state=y", "/settings", "/nowhere"]) {
        const { status, cookies, text } = await get(listener, path, headers);
        expect([path, status, cookies]).toEqual([path, 400, []]);
        expect(text).toContain("HTTPS is required");
        expect(text).toContain("TRUST_PROXY");
      }
      const said = warnings(listener).slice(before);
      expect(said).toHaveLength(1);
      expect(said[0]).toMatchObject({ proxy: "127.0.0.1", publicUrl: `https://${listener.host}` });
      expect(said[0].msg).toContain(why);
    }
  });

  it("W17: without forwarding headers gets a message on every page, even on this machine", async () => {
    for (const listener of [...right, ...wrong])
      for (const path of ["/", listener.start, "/settings"]) {
        const { status, cookies, text } = await get(listener, path, {});
        expect([path, status, cookies]).toEqual([path, 400, []]);
        expect(text).toContain("must set X-Forwarded-Proto and X-Forwarded-For, and be in TRUST_PROXY");
      }
  });

  it("C02: cannot reach an API with an https address over plain http on its own machine, whatever the Host", async () => {
    const { port, logs } = await apiBehind("127.0.0.0/8");
    const path = "/v2/venues/search?ll=0,0&v=20260101";
    for (const host of ["api.example.org", `127.0.0.1:${port}`, "localhost"]) {
      const { status, text } = await get({ port, host }, path, {});
      expect([host, status, JSON.parse(text).meta.errorDetail]).toEqual([
        host,
        400,
        expect.stringContaining("must set X-Forwarded-Proto and X-Forwarded-For, and be in TRUST_PROXY"),
      ]);
    }
    expect(logs.lines.filter((line) => line.includes("does not say that it was https"))).toHaveLength(1);
    const host = "api.example.org";
    expect((await get({ port, host }, path, TOLD)).text).toContain("Send oauth_token, or client_id and client_secret");
    expect((await get({ port, host }, "/healthz", {})).status).toBe(200);
  });

  it("W17: is not required for health checks from this machine", async () => {
    for (const listener of [...right, ...wrong])
      for (const path of ["/healthz", "/readyz"]) expect((await get(listener, path, {})).status).toBe(200);
  });
});
