import { beforeAll, expect, it } from "vitest";
import type { HttpClient } from "../../support/http-client.ts";
import { authHost, authorizePath, codeFor, loggedIn } from "./auth-host.ts";

const host = await authHost();
let clientId: string;
let known: HttpClient;

beforeAll(async () => {
  ({ clientId } = await host.application());
  known = await loggedIn(host, await host.user());
  await codeFor(known, clientId);
});

it.each(["client_id", "redirect_uri", "response_type", "state", "display", "code_challenge", "prompt", "max_age"])(
  "an authorization request with %s given twice shows an error page",
  async (name) => {
    const page = await known.get(`${authorizePath(clientId, { [name]: clientId })}&${name}=${clientId}`);
    expect([page.status, page.location]).toEqual([400, ""]);
  },
);

it("an authorization request ignores unknown parameters, even when repeated", async () => {
  const page = await known.get(`${authorizePath(clientId)}&scope=a&scope=b&approval_prompt=auto&nonce[]=1`);
  expect(page.location).toMatch(/^https:\/\/app\.example\/callback\?code=/);
});

it("an authorization request rejects a state that could not be returned unchanged", async () => {
  for (const state of ["a%00b", "a%ffb"]) {
    const { location } = await known.get(`${authorizePath(clientId)}&state=${state}`);
    expect(new URL(location).searchParams.get("error")).toBe("invalid_request");
  }
});

it("the authorization endpoints answer HEAD and other methods without effect", async () => {
  const before = await host.deps.prisma.authorizationCode.count();
  for (const method of ["HEAD", "POST", "PUT", "OPTIONS"]) {
    const reply = await fetch(`${host.url}${authorizePath(clientId)}`, { method });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.headers.get("access-control-allow-origin")).toBeNull();
  }
  expect(await host.deps.prisma.authorizationCode.count()).toBe(before);
});
