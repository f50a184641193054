import { beforeAll, expect, it } from "vitest";
import type { HttpClient } from "../support/http-client.ts";
import { authHost, authorizePath, CALLBACK, codeFor, loggedIn } from "./auth-host.ts";

const host = await authHost();
let clientId: string;
let known: HttpClient;

beforeAll(async () => {
  ({ clientId } = await host.application());
  known = await loggedIn(host, await host.user());
  await codeFor(known, clientId);
});

it.each([
  ["no client_id", { client_id: "" }],
  ["an unknown client_id", { client_id: "canary-client" }],
  ["a client_id that is no id", { client_id: "canary\0'\"<" }],
  ["a client_id of 10 KB", { client_id: "c".repeat(10_000) }],
  ["no redirect_uri", { redirect_uri: "" }],
  ["an unregistered redirect_uri", { redirect_uri: "https://canary.example/callback" }],
])("answers %s with a page and never with a redirect", async (_kind, fields) => {
  const page = await known.get(authorizePath(clientId, fields));
  expect([page.status, page.location]).toEqual([400, ""]);
  expect(page.headers.get("content-type")).toContain("text/html");
  expect(page.body).not.toContain("canary");
});

it.each(["client_id", "redirect_uri", "response_type", "state", "display", "code_challenge"])(
  "answers %s given twice with a page",
  async (name) => {
    const page = await known.get(`${authorizePath(clientId, { [name]: clientId })}&${name}=${clientId}`);
    expect([page.status, page.location]).toEqual([400, ""]);
  },
);

it("ignores parameters it does not know, also when repeated", async () => {
  const page = await known.get(`${authorizePath(clientId)}&scope=a&scope=b&approval_prompt=auto&nonce[]=1`);
  expect(page.location).toMatch(/^https:\/\/app\.example\/callback\?code=/);
});

const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const refusals: [kind: string, fields: Record<string, string>, error: string][] = [
  ["no response_type", { response_type: "" }, "invalid_request"],
  ["response_type=foo", { response_type: "foo" }, "unsupported_response_type"],
  ["response_type=code token", { response_type: "code token" }, "unsupported_response_type"],
  ["the plain PKCE method", { code_challenge: challenge, code_challenge_method: "plain" }, "invalid_request"],
  ["a challenge without method", { code_challenge: challenge }, "invalid_request"],
  ["a method without challenge", { code_challenge_method: "S256" }, "invalid_request"],
  [
    "a challenge of 42 characters",
    { code_challenge: challenge.slice(1), code_challenge_method: "S256" },
    "invalid_request",
  ],
  ["a challenge of 129", { code_challenge: "a".repeat(129), code_challenge_method: "S256" }, "invalid_request"],
  [
    "a challenge with =",
    { code_challenge: `${challenge.slice(1)}=`, code_challenge_method: "S256" },
    "invalid_request",
  ],
];

it.each(refusals)("tells a known application of %s by redirect, with the state", async (_kind, fields, error) => {
  const { location } = await known.get(authorizePath(clientId, { state: "s&1", ...fields }));
  const { origin, pathname, searchParams } = new URL(location);
  expect(origin + pathname).toBe(CALLBACK);
  expect(searchParams.get("error")).toBe(error);
  expect(searchParams.get("state")).toBe("s&1");
});

it("tells an application that is not registered for the token flow so, in the fragment", async () => {
  const { location } = await known.get(authorizePath(clientId, { response_type: "token", state: "s" }));
  expect(location).toMatch(/^https:\/\/app\.example\/callback#error=unauthorized_client&.*&state=s$/);
});

it("refuses a state that could not be given back unchanged", async () => {
  for (const state of ["a%00b", "a%ffb"]) {
    const { location } = await known.get(`${authorizePath(clientId)}&state=${state}`);
    expect(new URL(location).searchParams.get("error")).toBe("invalid_request");
  }
});

it("answers HEAD and other methods without effect", async () => {
  const before = await host.deps.prisma.authorizationCode.count();
  for (const method of ["HEAD", "POST", "PUT", "OPTIONS"]) {
    const reply = await fetch(`${host.url}${authorizePath(clientId)}`, { method });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.headers.get("access-control-allow-origin")).toBeNull();
  }
  expect(await host.deps.prisma.authorizationCode.count()).toBe(before);
});
