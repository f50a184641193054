import { describe, expect, it } from "vitest";
import { expectNoSecrets } from "../../support/canaries.ts";
import { after, answers, hangs, usual } from "../../support/fake-directory/behaviours.ts";
import { addSecret } from "../../support/fake-directory/fake-secrets.ts";
import { newMember } from "../../web/admin/browser.ts";
import { sessionOf } from "../../web/web-app.ts";
import { ENDPOINT, PAGE, secretsPage } from "../admin-apps.ts";

const { web, directory, database, admin, press, rows, expectFirstInUse, expectNewestInUse } = await secretsPage();

describe("a pasted secret", () => {
  const paste = (clientSecret: string, clientId = directory.client.id) =>
    press("/paste", { client_secret: clientSecret, client_id: clientId });

  it("W09: is used by both instances once it passes its test, and the old secret is deleted", async () => {
    const made = addSecret(directory.client);
    expect((await paste(` ${made}\t`)).status).toBe(303);
    await expectNewestInUse();
    const another = addSecret(directory.client);
    expect((await paste(another)).status).toBe(303);
    await expectNewestInUse();
    expect((await rows()).map(({ origin, secret }) => [origin, secret === null])).toEqual([
      ["pasted", true],
      ["pasted", false],
    ]);
  });

  it("W09: replaces a rotated secret that is still waiting", async () => {
    directory.behave("/oauth2/access_token", answers(503, "no"));
    await press("/rotate", { overlap: "1h" });
    directory.behave("/oauth2/access_token", usual);
    expect((await paste(addSecret(directory.client))).status).toBe(303);
    await expectNewestInUse();
    const [, waited] = await rows();
    expect([waited?.origin, waited?.secret, waited?.endedAt]).toEqual(["rotated", null, expect.any(Date)]);
    expect((await admin().get(PAGE)).body).not.toContain("A new secret, created on");
  });

  it("W09: is neither stored, used nor shown again when it is wrong", async () => {
    const wrong = "wrong-secret-canary-0001";
    const reply = await paste(wrong);
    expect(reply.status).toBe(400);
    expect(reply.body).toContain("does not accept the secret");
    expect(await rows()).toEqual([]);
    await expectFirstInUse();
    expectNoSecrets({ page: reply.body, log: web.logs.text() }, { "pasted secret": [wrong] });
  });

  it("W09: is not used when only one of the two hosts accepts it", async () => {
    const made = addSecret(directory.client);
    directory.behave("/oauth2/access_token", answers(400, { error: "invalid_client" }));
    expect((await paste(made)).status).toBe(400);
    directory.reset();
    expect(await rows()).toEqual([]);
    await expectFirstInUse();
  });

  it("W09: is rejected when its client id differs from CLIENT_ID", async () => {
    const reply = await paste(addSecret(directory.client), "another-client");
    expect([reply.status, await rows()]).toEqual([400, []]);
    expect(reply.body).toContain("CLIENT_ID");
  });
});

it("W09: no page or log line shows a secret in any failure of the directory", async () => {
  const pages: string[] = [];
  for (const behaviour of [after(1, hangs()), answers(401, { error: "invalid_client" }), undefined]) {
    const page = await admin().get(PAGE);
    if (behaviour) directory.behave(ENDPOINT, behaviour);
    pages.push(page.body, (await admin().submit(page, `${PAGE}/rotate`, { overlap: "1h" })).body);
    directory.reset();
  }
  for (const path of [PAGE, "/admin/status", "/admin/people"]) pages.push((await admin().get(path)).body);
  const secrets = [directory.client.secret, ...directory.client.live.map(({ secret }) => secret)];
  expectNoSecrets({ pages: pages.join(""), log: web.logs.text() }, { "client secret": secrets });
});

describe("a secret that the directory no longer accepts", () => {
  it("W10: is reported to admins and at log-in, while connected users keep working with their tokens", async () => {
    const { browser: member, id } = await newMember(web, "Mia");
    directory.client.live.splice(0);
    const [secrets, status] = [await admin().get(PAGE), await admin().get("/admin/status")];
    expect([secrets.status, status.status]).toEqual([200, 200]);
    expect(secrets.body).toContain("The directory does not accept the secret in use.");
    expect(status.body).toContain("does not accept this server as an application");
    const stranger = web.newBrowser();
    const refused = await stranger.get(await web.beginLogin(stranger));
    expect([refused.status, sessionOf(stranger)]).toEqual([502, undefined]);
    expect(refused.body).toContain("The directory refused Samespot");
    for (const path of ["/venues?query=coffee", "/checkins"]) expect((await member.get(path)).status).toBe(200);
    expect((await member.get("/venues?query=coffee")).body).toContain("Corner Coffee");
    const connection = await database.prisma.connection.findUniqueOrThrow({ where: { accountId: id } });
    expect(connection.brokenAt).toBeNull();
    const failed = await press("/paste", { client_id: directory.client.id, client_secret: "still-wrong" });
    expect(failed.status).toBe(400);
    const made = addSecret(directory.client);
    await press("/paste", { client_id: directory.client.id, client_secret: made });
    await expectNewestInUse();
  });
});
