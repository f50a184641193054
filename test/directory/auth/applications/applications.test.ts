import { describe, expect, it } from "vitest";
import { addApplication, updateApplication } from "../../../../src/directory/applications/applications.ts";
import { reserveProvider } from "../../../../src/directory/applications/providers.ts";
import { findToken } from "../../../../src/directory/tokens.ts";
import { formFields } from "../../../support/http-client.ts";
import { authHost, authorizePath, CALLBACK, codeFor, decide, exchange, loggedIn } from "../auth-host.ts";
import { press, register, registered, rotate } from "./forms.ts";

const host = await authHost();
const { deps } = host;

async function developer() {
  const user = await host.user();
  return { ...user, browser: await loggedIn(host, user) };
}

const stored = (clientId: string) => deps.prisma.application.findUniqueOrThrow({ where: { clientId } });

describe("the list of applications", () => {
  it("explains its empty state, then shows each own application with secrets and users", async () => {
    const { browser } = await developer();
    expect((await browser.get("/applications")).body).toContain("No applications yet");
    const { path, clientId } = await registered(browser);
    const list = await browser.get("/applications");
    expect(list.body).toContain(`<a href="${path}"><bdi>Weekend walks</bdi></a>`);
    expect(list.body).toContain(`<code id="id-${clientId}">${clientId}</code>`);
    expect(list.body).toContain("1 live secret · no user connected");
    await rotate(browser, path, "1h");
    for (let user = 0; user < 2; user += 1) await codeFor((await developer()).browser, clientId);
    expect((await browser.get("/applications")).body).toContain("2 live secrets · 2 users connected");
    expect((await browser.get(path)).body).toContain("2 users are connected.");
    expect((await (await developer()).browser.get("/applications")).body).not.toContain(clientId);
  });

  it("and all its pages and forms require a log-in", async () => {
    const { path } = await registered((await developer()).browser);
    for (const each of ["/applications", "/applications/new", path]) {
      const { status, location } = await host.browser().get(each);
      expect([each, status, location]).toEqual([each, 303, `${host.url}/login?next=${encodeURIComponent(each)}`]);
    }
    const stranger = host.browser();
    const { _csrf = "" } = formFields(await stranger.get("/login"), "/login");
    const sent = await stranger.post("/applications", { _csrf, name: "x", redirectUris: CALLBACK });
    expect([sent.status, sent.location]).toEqual([303, `${host.url}/login?next=%2Fapplications`]);
  });

  it("accepts at most fifty applications of one user, under concurrent requests too", async () => {
    const { id, browser } = await developer();
    const add = () => addApplication(deps, { ownerId: id, name: "Walk", redirectUris: [CALLBACK] }, { most: 49 });
    const eightAtOnce = () => Promise.allSettled(Array.from({ length: 8 }, add));
    for (let count = 0; count < 48; count += 8) await eightAtOnce();
    const atOnce = await eightAtOnce();
    expect(atOnce.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await register(browser)).status).toBe(303);
    const refused = await register(browser);
    expect(refused.status).toBe(409);
    expect(refused.body).toContain("You have 50 applications already. Delete one that you no longer need.");
    expect(refused.body).toContain('value="Weekend walks"');
    const list = await browser.get("/applications");
    expect(list.body).toContain("the most that one account can have");
    expect(list.body).not.toContain('href="/applications/new"');
  });
});

describe("the registration of an application", () => {
  it("keeps the entries and shows each mistake beside its field", async () => {
    const { browser, id } = await developer();
    const typed = {
      name: " ",
      redirectUris: "https://a.example/\nhttp://b.example/",
      tokenFlow: "on",
      redirectMatch: "path",
    };
    const answer = await register(browser, typed);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatch(/id="name-error">.*An application needs a name\./);
    expect(answer.body).toMatch(/id="redirectUris-error">.*http:\/\/b\.example\/.*must be https/);
    expect(answer.body).toContain("https://a.example/\nhttp://b.example/</textarea>");
    expect(answer.body).toMatch(/name="tokenFlow" checked/);
    expect(answer.body).toMatch(/value="path" checked/);
    expect(await deps.prisma.application.count({ where: { ownerId: id } })).toBe(0);
  });

  it("stores what the form contains", async () => {
    const { browser, id } = await developer();
    const redirectUris = `  ${CALLBACK}\r\n\r\nhttp://localhost:8080/cb ${CALLBACK}`;
    const { clientId } = await registered(browser, {
      redirectUris,
      redirectMatch: "path",
      webConnect: "on",
      tokenFlow: "on",
      rotatesItself: "on",
    });
    expect(await stored(clientId)).toMatchObject({
      ownerId: id,
      name: "Weekend walks",
      redirectUris: [CALLBACK, "http://localhost:8080/cb"],
      redirectMatch: "path",
      webConnect: true,
      tokenFlow: true,
      rotatesItself: true,
      rateLimit: null,
    });
    const plain = await registered(browser, { rateLimit: "0", clientId: "mine", ownerId: "x" });
    expect(await stored(plain.clientId)).toMatchObject({
      ownerId: id,
      tokenFlow: false,
      webConnect: false,
      rotatesItself: false,
      rateLimit: null,
    });
  });

  it("shows the form again with all entries when its session has changed", async () => {
    const { browser, id } = await developer();
    const answer = await browser.post("/applications", { name: "Old form", redirectUris: CALLBACK, _csrf: "old" });
    expect(answer.status).toBe(403);
    expect(answer.body).toContain("nothing was saved");
    expect(answer.body).toContain('value="Old form"');
    expect(await deps.prisma.application.count({ where: { ownerId: id } })).toBe(0);
    const again = await browser.submit(answer, "/applications", { redirectUris: CALLBACK, redirectMatch: "exact" });
    expect([again.status, await deps.prisma.application.count({ where: { ownerId: id } })]).toEqual([303, 1]);
  });
});

describe("the settings of an application", () => {
  it("are changed by the form, including redirect URIs and their order", async () => {
    const { browser } = await developer();
    const { path, clientId } = await registered(browser, { webConnect: "on" });
    const typed = {
      name: "City walks",
      redirectUris: `https://b.example/\n${CALLBACK}`,
      redirectMatch: "path",
      tokenFlow: "on",
    };
    const page = await press(browser, path, "", typed);
    expect(page.body).toContain("Saved.");
    expect(await stored(clientId)).toMatchObject({
      name: "City walks",
      redirectUris: ["https://b.example/", CALLBACK],
      redirectMatch: "path",
      tokenFlow: true,
      webConnect: false,
    });
    expect(page.body).toContain(`redirect_uri=${encodeURIComponent("https://b.example/")}</code>`);
    expect((await browser.get(path)).body).not.toContain("Saved.");
    const wrong = await press(browser, path, "", { ...typed, name: "", redirectUris: "nowhere" });
    expect(wrong.status).toBe(400);
    expect(wrong.body).toMatch(/id="redirectUris-error">.*must be an absolute URL/);
    expect(wrong.body).toContain("nowhere</textarea>");
    expect((await stored(clientId)).name).toBe("City walks");
  });

  it("end only a waiting request that they no longer allow", async () => {
    const { clientId } = await host.application({
      redirectUris: [CALLBACK, "https://old.example/cb", "http://localhost/cb"],
      tokenFlow: true,
    });
    const asked = async (more: Record<string, string>) => {
      const { browser } = await developer();
      return { browser, page: await browser.get(authorizePath(clientId, more)) };
    };
    const good = [await asked({}), await asked({ redirect_uri: "http://localhost:8080/cb" })];
    const gone = [await asked({ redirect_uri: "https://old.example/cb" }), await asked({ response_type: "token" })];
    await updateApplication(deps, clientId, { redirectUris: [CALLBACK, "http://localhost/cb"], tokenFlow: false });
    for (const { browser, page } of gone) {
      const answer = await decide(browser, page, "allow");
      expect([answer.status, answer.location]).toEqual([400, ""]);
    }
    for (const { browser, page } of good) expect((await decide(browser, page, "allow")).location).toContain("?code=");
  });
});

describe("the deletion of an application", () => {
  it("requires its name, and revokes its users' tokens only", async () => {
    const { browser } = await developer();
    const { path, clientId, clientSecret } = await registered(browser);
    const other = await host.application();
    const walker = (await developer()).browser;
    const token = async (client: { clientId: string; clientSecret: string }) =>
      (await exchange(host, client, await codeFor(walker, client.clientId))).body.access_token ?? "";
    const [dies, lives] = [await token({ clientId, clientSecret }), await token(other)];
    for (const name of ["", "weekend walks", "Weekend"]) {
      const { status, body } = await press(browser, path, "/delete", { name });
      expect([status, body]).toEqual([400, expect.stringContaining("confirm-error")]);
    }
    expect(await findToken(deps, dies)).toBeDefined();
    const after = await press(browser, path, "/delete", { name: " Weekend walks" });
    expect([after.url, after.body]).toEqual([
      `${host.url}/applications`,
      expect.stringContaining("Weekend walks has been deleted."),
    ]);
    expect([await findToken(deps, dies), (await browser.get(path)).status]).toEqual([undefined, 404]);
    expect(await findToken(deps, lives)).toMatchObject({ clientId: other.clientId });
  });
});

it("an application's owner reserves provider ids, and releases those without annotations", async () => {
  const { id, ...user } = await host.user();
  const browser = await loggedIn(host, user);
  const { path, clientId } = await registered(browser);
  const reserve = (provider: string) => press(browser, path, "/providers", { provider });
  expect((await reserve(" walks-1 ")).body).toContain("walks-1 is now reserved for this application.");
  await reserve("walks-2");
  await reserveProvider(deps, "taken", (await host.application()).clientId);
  const taken = await reserve("taken");
  expect([taken.status, taken.body]).toEqual([
    409,
    expect.stringMatching(/provider-error">.*reserved for another application/),
  ]);
  const bad = await reserve("a b<i>");
  expect([bad.status, bad.body]).toEqual([400, expect.stringContaining('value="a b&lt;i&gt;"')]);
  await deps.pool.query(
    `INSERT INTO directory.venue (id, name, name_norm, lat, lng, point) VALUES ('v', 'V', 'v', 1, 1, point(1, 1))`,
  );
  await deps.prisma.link.create({ data: { providerId: "walks-1", linkedId: "1", venueId: "v", userId: id } });
  const release = async (provider: string) => (await press(browser, path, "/providers/release", { provider })).status;
  expect((await browser.get(path)).body).toMatch(/walks-1<\/dt>.*1 annotation.*walks-2<\/dt>.*No annotation/s);
  expect([await release("walks-1"), await release("taken"), await release("\0")]).toEqual([409, 404, 404]);
  expect(await release("walks-2")).toBe(200);
  expect(await deps.prisma.provider.findMany({ where: { clientId } })).toMatchObject([{ id: "walks-1" }]);
});
