import { beforeAll, describe, expect, it } from "vitest";
import type { HttpClient } from "../../../support/http-client.ts";
import { authHost, CALLBACK, codeFor, exchange, loggedIn, rawRequest } from "../auth-host.ts";

const host = await authHost();
let application: { clientId: string; clientSecret: string };
let browser: HttpClient;

beforeAll(async () => {
  application = await host.application();
  browser = await loggedIn(host, await host.user());
});

const newCode = () => codeFor(browser, application.clientId);

describe("the request format of the token endpoint", () => {
  const send = async (options: { basic?: boolean; method: string; inQuery?: boolean }) => {
    const { clientId, clientSecret } = application;
    const code = await newCode();
    const fields: Record<string, string> = { grant_type: "authorization_code", redirect_uri: CALLBACK, code };
    if (!options.basic) Object.assign(fields, { client_id: clientId, client_secret: clientSecret });
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
    const query = options.inQuery ? `?${new URLSearchParams(fields)}` : "";
    return fetch(`${host.url}/oauth2/access_token${query}`, {
      method: options.method,
      headers: options.basic ? { authorization: basic } : {},
      ...(options.inQuery ? {} : { body: new URLSearchParams(fields) }),
    });
  };

  it("returns access_token alone for a GET", async () => {
    const reply = await send({ method: "GET", inQuery: true });
    expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(reply.headers.get("cache-control")).toBe("no-store");
    expect(reply.headers.get("pragma")).toBe("no-cache");
    expect(Object.keys((await reply.json()) as object)).toEqual(["access_token"]);
  });

  it.each([
    { method: "POST" },
    { method: "POST", inQuery: true },
    { method: "POST", basic: true },
    { method: "GET", inQuery: true, basic: true },
  ])("returns token_type as well for %j", async (options) => {
    const reply = await send(options);
    expect(await reply.json()).toEqual({ access_token: expect.stringMatching(/^[\w-]{43}$/), token_type: "bearer" });
  });

  it("returns 405 for other methods, which leave the code valid", async () => {
    const code = await newCode();
    const query = new URLSearchParams({
      client_id: application.clientId,
      client_secret: application.clientSecret,
      grant_type: "authorization_code",
      redirect_uri: CALLBACK,
      code,
    });
    for (const method of ["HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "QUERY", "PROPFIND"]) {
      const { status, headers } = await rawRequest(`${host.url}/oauth2/access_token?${query}`, { method });
      const { allow, "content-type": type } = headers;
      expect([method, status, allow, type]).toEqual([method, 405, "GET, POST", "application/json; charset=utf-8"]);
    }
    expect((await exchange(host, application, code)).status).toBe(200);
  });
});

describe("a wrong request to the token endpoint", () => {
  it.each(["grant_type", "redirect_uri", "code", "client_secret"])("is rejected with %s given twice", async (name) => {
    const query = new URLSearchParams({
      ...application,
      grant_type: "authorization_code",
      redirect_uri: CALLBACK,
      code: "x",
    });
    query.set("client_id", application.clientId);
    query.set("client_secret", application.clientSecret);
    query.append(name, "again");
    const reply = await fetch(`${host.url}/oauth2/access_token?${query}`);
    expect([reply.status, await reply.json()]).toMatchObject([400, { error: expect.any(String) }]);
  });

  it.each([
    ["client_id", "", "client_id is required"],
    ["client_secret", "", "client_secret is required"],
    ["client_id", "again", "client_id was given more than once"],
    ["client_secret", "again", "client_secret was given more than once"],
  ])("gets a message about %s %j, however often it is sent", async (name, again, error_description) => {
    const { clientId, clientSecret } = await host.application();
    const fields: Record<string, string> = { client_id: clientId, client_secret: clientSecret };
    if (again === "") delete fields[name];
    const query = new URLSearchParams({
      ...fields,
      grant_type: "authorization_code",
      code: "x",
      redirect_uri: CALLBACK,
    });
    if (again !== "") query.append(name, again);
    const bodies = new Set<string>();
    for (let time = 0; time < 32; time += 1)
      bodies.add(await (await fetch(`${host.url}/oauth2/access_token?${query}`)).text());
    expect([...bodies]).toEqual([JSON.stringify({ error: "invalid_request", error_description })]);
  });

  it("gets 401 with a challenge when it used HTTP Basic", async () => {
    const reply = await fetch(`${host.url}/oauth2/access_token`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${application.clientId}:wrong`).toString("base64")}` },
      body: new URLSearchParams({ grant_type: "authorization_code", redirect_uri: CALLBACK, code: "x" }),
    });
    expect(reply.status).toBe(401);
    expect(reply.headers.get("www-authenticate")).toMatch(/^Basic /);
  });

  it("gets a JSON error for another content type", async () => {
    for (const type of ["application/json", "text/plain", "multipart/form-data; boundary=x"]) {
      const headers = { "content-type": type };
      const reply = await fetch(`${host.url}/oauth2/access_token`, { method: "POST", headers, body: "{}" });
      expect([reply.status, await reply.json()]).toMatchObject([400, { error: "invalid_request" }]);
    }
  });
});
