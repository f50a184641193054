import { beforeEach, expect, test } from "vitest";
import { createAuthHost } from "../../../src/directory-client/auth-host.ts";
import { createOutbound } from "../../../src/directory-client/calls/outbound.ts";
import { expectNoSecrets } from "../../support/canaries.ts";
import { answers, answersHtml, cutsAfter, hangs, json, redirectsTo } from "../../support/fake-directory/behaviours.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb({ deadlineMs: 500 });
const { prisma } = web.database;
const { authUrl, client } = web.directory;
const REVOKE = "/oauth2/revoke";

beforeEach(() => {
  web.directory.reset();
  const metadata = { issuer: authUrl, revocation_endpoint: authUrl + REVOKE };
  web.directory.behave("/.well-known/oauth-authorization-server", answers(200, metadata));
  web.directory.behave(REVOKE, answers(200, {}));
});

async function disconnected() {
  const browser = await web.logIn();
  const reply = await browser.submit(await browser.get("/settings"), "/settings/disconnect");
  expect([reply.status, reply.location, await prisma.connection.count()]).toEqual([303, `${web.url}/settings`, 0]);
  const settings = await browser.get("/settings");
  expect((await browser.get("/checkins")).body).toContain("Connect again");
  expect((await browser.get("/settings")).body, "said once").not.toMatch(/Disconnected/);
  return settings;
}

test.each([
  ["in JSON", json(200, {})],
  ["without a body", { status: 200, headers: {}, body: "" }],
  ["as plain text", { status: 200, headers: { "content-type": "text/plain" }, body: "OK" }],
])(
  "Disconnect revokes the token at the directory, once and in the body, and says so: answered %s",
  async (_how, answer) => {
    web.directory.behave(
      REVOKE,
      ({ response }) => void response.writeHead(answer.status, answer.headers).end(answer.body),
    );
    const settings = await disconnected();
    expect(settings.body).toContain("The directory has ended Samespot&#39;s access.");
    const token = web.directory.secrets.at(-1);
    const calls = web.directory.requests.filter(({ path }) => path === REVOKE);
    expect(calls.map(({ method, params }) => [method, params])).toEqual([["POST", { token }]]);
    const basic = Buffer.from(`${client.id}:${client.secret}`).toString("base64");
    expect(calls[0]?.headers.authorization).toBe(`Basic ${basic}`);
  },
);

test.each([
  ["does not answer", hangs()],
  ["answers with an error", answers(503, {})],
  ["cuts the connection", cutsAfter(0)],
  ["does not know the application", answers(401, { error: "invalid_client" })],
  ["does not accept this type of token", answers(400, { error: "unsupported_token_type" })],
  ["redirects elsewhere", redirectsTo("http://127.0.0.1:1/")],
  ["is replaced by a captive portal", answersHtml(404)],
])("Disconnect deletes the token even if the directory %s, and says where to end it", async (_what, behaviour) => {
  web.directory.behave(REVOKE, behaviour);
  const { body } = await disconnected();
  expect(body).toContain("Samespot has deleted its access token");
  expect(body).toContain(`<a href="${authUrl}/settings">Your settings at the directory</a>`);
  expect(web.logs.text()).toContain("the directory did not end a connection");
  expectNoSecrets({ logs: web.logs.text() }, { "of the directory": web.directory.secrets });
});

test("Disconnect does not delete a connection made by a log-in meanwhile", async () => {
  const browser = await web.logIn();
  const settings = await browser.get("/settings");
  web.directory.behave(REVOKE, (call) => void setTimeout(() => answers(200, {})(call), 300));
  const leaving = browser.submit(settings, "/settings/disconnect");
  await web.logIn();
  expect((await leaving).status).toBe(303);
  expect(await prisma.connection.count()).toBe(1);
  web.directory.reset();
  expect((await browser.get("/checkins")).status).toBe(200);
  await prisma.connection.deleteMany();
});

test("Disconnect reports success if pressed twice", async () => {
  const browser = await web.logIn();
  const settings = await browser.get("/settings");
  await browser.submit(settings, "/settings/disconnect");
  await browser.submit(settings, "/settings/disconnect");
  expect((await browser.get("/settings")).body).toContain("The directory has ended Samespot&#39;s access.");
  expect(await prisma.connection.count()).toBe(0);
});

test("client id and secret are form-encoded in the Authorization header, whatever their characters (RFC 6749, 2.3.1)", async () => {
  const line = { dispatcher: createOutbound(), deadlineMs: 1000 };
  const host = createAuthHost({ authUrl, apiUrl: web.directory.baseUrl }, line);
  expect(await host.revokeToken({ clientId: "a:b c", clientSecret: "ü+%&=/~*" }, "t+&=")).toBe(true);
  const { headers, params } = web.directory.requests.find(({ path }) => path === REVOKE) ?? { headers: {}, params: {} };
  const [, sent = ""] = /^Basic (.+)$/.exec(headers.authorization ?? "") ?? [];
  expect(Buffer.from(sent, "base64").toString()).toBe("a%3Ab+c:%C3%BC%2B%25%26%3D%2F%7E*");
  expect(params).toEqual({ token: "t+&=" });
});
