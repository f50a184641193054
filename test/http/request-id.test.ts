import { expect, test } from "vitest";
import { requestId } from "../../src/http/request-id.ts";
import { trustedProxies } from "../../src/http/transport.ts";
import { makeHarmonization } from "../harmonize/rows.ts";
import { startSamespot } from "../support/samespot.ts";

const idOf = requestId(trustedProxies(["10.0.0.0/8"]));
const from = (remoteAddress: string, headers: Record<string, string>) =>
  idOf({ socket: { remoteAddress }, headers } as unknown as Parameters<typeof idOf>[0]);

const OWN = /^[0-9a-f]{24}$/;

test("a request keeps the X-Request-Id of a trusted proxy, and of a program on this machine", () => {
  const given = { "x-request-id": "0HMVB3A:Root=1-67a/b+c.d_e" };
  expect(from("10.1.2.3", given)).toBe(given["x-request-id"]);
  expect(from("127.0.0.1", given)).toBe(given["x-request-id"]);
});

test.each([
  ["of an address that is not trusted", "203.0.113.1", "abc", {}],
  ["of a local proxy that is not trusted", "127.0.0.1", "abc", { "x-forwarded-for": "203.0.113.1" }],
  ["with a space", "10.1.2.3", "a b", {}],
  ["with a quote", "10.1.2.3", 'a"b', {}],
  ["with 129 characters", "10.1.2.3", "a".repeat(129), {}],
  ["that is empty", "10.1.2.3", "", {}],
])("W19: an X-Request-Id %s is replaced", (_which, address, id, headers) => {
  expect(from(address, { "x-request-id": id, ...headers })).toMatch(OWN);
});

const { webUrl, authUrl, config, database, logs, demo } = await startSamespot();
const lines = () =>
  logs
    .text()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test("one request id is in the log lines of the web app and of the directory that it calls", async () => {
  const id = "from-the-proxy-1";
  const begun = await fetch(`${webUrl}/login`, { redirect: "manual" });
  const cookie = begun.headers.getSetCookie().map((line) => line.split(";")[0]).join("; "); // biome-ignore format: short
  const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state");
  const headers = { "x-request-id": id, cookie };
  const answer = await fetch(`${webUrl}/login/callback?code=wrong&state=${state}`, { headers, redirect: "manual" });
  expect(answer.headers.get("x-request-id")).toBe(id);
  const routes = () => lines().filter(({ request, route }) => request === id && route);
  await expect
    .poll(() => routes().map(({ route }) => route))
    .toEqual(expect.arrayContaining(["GET /login/callback", "GET /oauth2/access_token"]));
});

test("a task of the worker and its calls to the directory have one request id in the log, which names the client", async () => {
  const pending = [{ name: "Coffee", more: { status: "pending" as const } }];
  const more = { directory: config.api.url, state: "matching" as const };
  await makeHarmonization(database, null, pending, more);
  const task = () => lines().find((line) => line.msg === "task" && line.task.kind === "match");
  await expect.poll(task).toMatchObject({ outcome: "finished", request: expect.stringMatching(OWN) });
  const call = lines().find(({ request, route }) => request === task().request && route?.startsWith("POST /v2/"));
  expect(call).toMatchObject({ route: "POST /v2/venues/match", client: expect.any(String) });
});

test("the log line of a log-in names the user by id only", async () => {
  const page = await fetch(`${authUrl}/login`);
  const csrf = /name="_csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const body = new URLSearchParams({ _csrf: csrf, ...demo });
  const headers = { cookie, origin: authUrl };
  const answer = await fetch(`${authUrl}/login`, { method: "POST", body, headers, redirect: "manual" });
  expect(answer.status).toBe(303);
  const user = await database.prisma.user.findFirstOrThrow({ where: { handle: demo.handle } });
  const line = () => lines().find(({ route, status }) => route === "POST /login" && status === 303);
  await expect.poll(line).toMatchObject({ user: user.id });
  expect(JSON.stringify(line())).not.toContain(demo.password);
});
