import { beforeAll, describe, expect, it } from "vitest";
import { press, register, registered } from "../../directory/auth/applications/forms.ts";
import { authorizePath, decide, exchange, loggedIn } from "../../directory/auth/auth-host.ts";
import type { HttpClient } from "../../support/http-client.ts";
import { roundsOf } from "../../support/rounds.ts";
import { CALLBACK, runningDirectory } from "../running-directory.ts";
import { forEach } from "../venue-api.ts";

const directory = await runningDirectory();
const host = { ...directory, url: directory.auth };
let browser: HttpClient;
let userId: string;

beforeAll(async () => {
  const user = await directory.user();
  userId = user.id;
  browser = await loggedIn(host, user);
});

/** Creates an application with consent, whose valid requests redirect at once. */
async function allowed(more: Parameters<typeof directory.application>[0]) {
  const application = await directory.application(more);
  await directory.token({ userId, clientId: application.clientId });
  return application;
}

/** Returns status and redirect target of a log-in with this redirect_uri. */
async function answerTo(clientId: string, redirect_uri: string, more: Record<string, string> = {}, path?: string) {
  const { status, location } = await browser.get(authorizePath(clientId, { redirect_uri, ...more }, path));
  return { status, location };
}

let turn = 0;

/** Expects a page without a redirect for a code, and for another kind of request, by turns; for each with whole rounds. */
async function expectNoRedirect(clientId: string, uri: string): Promise<void> {
  const others = [
    () => answerTo(clientId, uri, {}, "authorize"),
    () => answerTo(clientId, uri, { response_type: "foo" }),
    () => answerTo(clientId, uri, { response_type: "token" }),
  ];
  turn += 1;
  const asked = others.filter((_, at) => (at + turn) % roundsOf(1, 3) === 0);
  const answers = await Promise.all([answerTo(clientId, uri), ...asked.map((ask) => ask())]);
  for (const answer of answers) expect([uri, answer]).toEqual([uri, { status: 400, location: "" }]);
}

describe("B01: a redirect URI that differs from the registered one", () => {
  const own = "https://app.example/cb/in?tenant=1";
  const changed = [
    ...["/", "&x=2", "#", "#x", "%23", " ", "\n", "\0", "2", ";x", "?x"].map((end) => own + end),
    ...["", "?", "/?tenant=1", "?tenant=2", "?tenant=", "?Tenant=1", "?x=2&tenant=1", "?tenant=%31"].map(
      (end) => `https://app.example/cb/in${end}`,
    ),
    ...["CB/in", "cb//in", "/cb/in", "cb/./in", "cb/x/../in", "cb/%2e/in", "cb%2fin", "%63b/in", "cb\\in"].map(
      (path) => `https://app.example/${path}?tenant=1`,
    ),
    ...["APP.example", "app.example:443", "app.example:8443", "app.example.", "app.example.evil.example"].map(
      (server) => `https://${server}/cb/in?tenant=1`,
    ),
    ...["evilapp.example", "www.app.example", "app.example@evil.example", "evil.example\\@app.example"].map(
      (server) => `https://${server}/cb/in?tenant=1`,
    ),
    ...["user@app.example", "user:pass@app.example", "xn--app-example", "аpp.example", "app.example%00.evil"].map(
      (server) => `https://${server}/cb/in?tenant=1`,
    ),
    ...["http://", "HTTPS://", "https:\\\\", "https:/", "//", "/", "", " https://", "javascript:alert(1)//"].map(
      (scheme) => `${scheme}app.example/cb/in?tenant=1`,
    ),
  ];

  it("B01: shows an error page for each of more than forty changes", async () => {
    const { clientId } = await allowed({ redirectUris: [own], tokenFlow: true });
    await allowed({ redirectUris: ["https://other.example/cb"] });
    expect((await answerTo(clientId, own)).location).toContain(`${own}&code=`);
    expect(changed.length).toBeGreaterThan(40);
    await forEach([...changed, "https://other.example/cb"], (uri) => expectNoRedirect(clientId, uri));
  });

  it("B01: shows an error page when given beside the registered one", async () => {
    const { clientId } = await allowed({ redirectUris: [own] });
    const evil = "https://evil.example/";
    for (const [first, second] of [
      [own, evil],
      [evil, own],
      [own, own],
    ]) {
      const path = `${authorizePath(clientId, { redirect_uri: first ?? "" })}&redirect_uri=${second}`;
      const { status, location } = await browser.get(path);
      expect([status, location]).toEqual([400, ""]);
    }
  });

  it("B01: is accepted only with a longer query, for an application with path matching", async () => {
    const plain = "https://app.example/cb";
    const { clientId } = await allowed({ redirectUris: [plain, own], redirectMatch: "path", tokenFlow: true });
    for (const uri of [plain, own, `${plain}?a=1&b=%20`, `${plain}?redirect_state=abc`, `${own}&redirect_state=abc`])
      expect((await answerTo(clientId, uri)).location.startsWith(uri)).toBe(true);
    const brought = ["code=x", "%63ode=x", "x=1&state=forged", "error=x", "access_token=x", `x=${"1".repeat(2000)}`];
    const wrong = [
      ...changed.filter((uri) => !uri.startsWith(`${own}&`)),
      ...brought.map((query) => `${plain}?${query}`),
      ...["/?x=1", "x?x=1", ";x?x=1", "&x=1", "?x=1#y", "?x=\\"].map((end) => plain + end),
    ];
    await forEach(wrong, (uri) => expectNoRedirect(clientId, uri));
  });
});

it("B02: a missing redirect_uri shows a page, or uses the first registered one with web connect", async () => {
  const first = "https://app.example/first";
  const redirectUris = [first, CALLBACK];
  const plain = await allowed({ redirectUris, tokenFlow: true });
  await expectNoRedirect(plain.clientId, "");
  const connected = await directory.application({ redirectUris, webConnect: true });
  const consent = await browser.get(authorizePath(connected.clientId, { redirect_uri: "" }));
  // First over the consent page, whose request is stored, then directly.
  const over = (await decide(browser, consent, "allow")).location;
  const straight = (await answerTo(connected.clientId, "")).location;
  for (const location of [over, straight]) {
    expect(location.startsWith(`${first}?code=`)).toBe(true);
    const code = new URL(location).searchParams.get("code") ?? "";
    expect((await exchange(host, connected, code, { redirect_uri: first })).status).toBe(200);
  }
  expect((await answerTo(connected.clientId, CALLBACK)).location.startsWith(`${CALLBACK}?code=`)).toBe(true);
  await expectNoRedirect(connected.clientId, `${first}/x`);
});

it("B05: a misleading redirect URI can be neither registered nor saved", async () => {
  const developer = await loggedIn(host, await directory.user());
  const { path, clientId } = await registered(developer);
  const refuse = async (uri: string) => {
    const refused = await register(developer, { redirectUris: uri });
    expect([uri, refused.status, refused.location]).toEqual([uri, 400, ""]);
    expect(refused.body).toMatch(/id="redirectUris-error">.*The redirect URI &quot;/);
    const saved = await press(developer, path, "", { name: "x", redirectUris: `${CALLBACK}\n${uri}` });
    expect([uri, saved.status]).toEqual([uri, 400]);
  };
  await forEach(ASTRAY, refuse);
  const owner = await directory.deps.prisma.application.findUniqueOrThrow({ where: { clientId } });
  const { ownerId, redirectUris, name } = owner;
  expect([name, redirectUris]).toEqual(["Weekend walks", [CALLBACK]]);
  expect(await directory.deps.prisma.application.count({ where: { ownerId } })).toBe(1);
});

const ASTRAY = [
  ...["javascript:alert(1)", "JavaScript://app.example/%0aalert(1)", "vbscript:x", "file:///etc/passwd", "myapp://cb"],
  ...["data:text/html,<script>alert(1)</script>", "app.example/callback", "//app.example/callback"],
  ...["https://app.example/callback#part", "https://app.example/callback#", "https://app.example/\\evil"],
  ...["https://*.example/callback", "https://app.example/*", "https://äpp.example/cb", "https://app.example\\cb"],
  ...["https://user@app.example/callback", "https://user:password@app.example/callback", "https://@app.example/"],
  ...["http://app.example/callback", "http://localhost.evil.example/callback", "http://localhost@evil.example/cb"],
  ...["http://127.0.0.1.evil.example/", "http://10.0.0.1/callback", "http://[::2]/callback", "http://128.0.0.1/"],
  ...["https://APP.example/callback", "https://app.example:443/callback", "https://app.example/a/../b"],
  ...["https://app.example/callback?code=x", "https://app.example/callback?state=x", "https://app.example/a b"],
  ...["https://app.example/callback\u0000", "https://app.example/\u202egpj", `https://app.example/${"a".repeat(2000)}`],
];

it("B06: a loopback redirect URI matches any port but no other host or path, and other URIs match their port exactly", async () => {
  const loopback = ["http://localhost:5000/cb", "http://[::1]/cb", "http://127.0.0.1/cb?x=1"];
  const { clientId } = await allowed({
    redirectUris: [...loopback, "https://app.example:8443/cb", "https://app.example/other"],
    tokenFlow: true,
  });
  const right = ["localhost:5000/cb", "localhost:61234/cb", "localhost/cb", "[::1]:80/cb", "127.0.0.1:5000/cb?x=1"];
  for (const uri of [...right.map((rest) => `http://${rest}`), "https://app.example:8443/cb"])
    expect((await answerTo(clientId, uri)).location).toMatch(/[?&]code=[\w-]{43}$/);
  const wrong = [
    ...["localhost:5000/other", "localhost:5000/cb/", "localhost:5000/cb?x=1", "[::1]:5000/cb?x=1", "[::2]/cb"],
    ...["127.0.0.1:5000/cb", "127.0.0.2:5000/cb?x=1", "localhost:99999/cb", "localhost:/cb", "localhost:x/cb"],
    ...["localhost:5000@evil.example/cb", "localhost.evil.example:5000/cb", "evil.example:5000/cb"],
  ].map((rest) => `http://${rest}`);
  const elsewhere = ["app.example/cb", "app.example:8444/cb", "app.example:8443/other", "app.example:443/other"];
  const others = ["https://localhost:5000/cb", ...elsewhere.map((rest) => `https://${rest}`)];
  await forEach([...wrong, ...others], (uri) => expectNoRedirect(clientId, uri));
});

it("B08: the query of a registered redirect URI stays unchanged, and the answer is appended once", async () => {
  const redirect_uri = "https://app.example/cb?tenant=a%20b&x=1&x=2";
  const { clientId } = await allowed({ redirectUris: [redirect_uri], tokenFlow: true });
  const rest = async (more: Record<string, string>) => {
    const { location } = await answerTo(clientId, redirect_uri, { state: "s", ...more });
    expect(location.startsWith(redirect_uri)).toBe(true);
    return location.slice(redirect_uri.length);
  };
  expect(await rest({})).toMatch(/^&code=[\w-]{43}&state=s$/);
  expect(await rest({ response_type: "foo" })).toMatch(/^&error=\w+&error_description=[\w%]+&state=s$/);
  expect(await rest({ response_type: "token" })).toMatch(/^#access_token=[\w-]{43}&state=s$/);
  const asked = await browser.get(authorizePath(clientId, { redirect_uri, state: "s" }, "authorize"));
  const denied = (await decide(browser, asked, "deny")).location;
  expect(denied.slice(0, redirect_uri.length)).toBe(redirect_uri);
  expect(denied.slice(redirect_uri.length)).toMatch(/^&error=access_denied&error_description=[\w%]+&state=s$/);
});
