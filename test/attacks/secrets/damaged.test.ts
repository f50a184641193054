import { describe, expect, it } from "vitest";
import { issueCode } from "../../../src/directory/auth/client/token-endpoint.ts";
import { startWeb } from "../../web/web-app.ts";
import { CALLBACK, runningDirectory } from "../running-directory.ts";

/** Flips one bit. */
function bent(value: Uint8Array, bit: number): Buffer {
  const bytes = Buffer.from(value);
  bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return bytes;
}

/** One bit of each byte: key id, nonce, tag and text. */
const bitsOf = (value: Uint8Array) => Array.from(value, (_, byte) => byte * 8 + (byte % 8));

describe("a stored token of the web app", async () => {
  const web = await startWeb();
  const { prisma } = web.database;

  /** Logs a user in, and returns what is stored of them. */
  async function member(name: string) {
    web.directory.signIn(name);
    const browser = await web.logIn();
    const { connection, id: accountId } = await prisma.account.findFirstOrThrow({
      where: { firstName: name },
      include: { connection: true },
    });
    return {
      token: connection?.token ?? new Uint8Array(),
      store: (token: Uint8Array) =>
        prisma.connection.update({ where: { accountId }, data: { token: Buffer.from(token) } }),
      reconnect: () => web.logIn(browser),
      async page() {
        web.directory.reset();
        const { status, body } = await browser.get("/checkins");
        return { status, again: body.includes("<h1>Connect again</h1>"), calls: web.directory.requests.length };
      },
    };
  }
  const REFUSED = { status: 200, again: true, calls: 0 };
  const WORKS = { status: 200, again: false, calls: 1 };

  it("S03: is refused to both users after a swap, and connecting again repairs it", async () => {
    const [ann, bob] = [await member("Ann"), await member("Bob")];
    expect([await ann.page(), await bob.page()]).toEqual([WORKS, WORKS]);
    await ann.store(bob.token);
    await bob.store(ann.token);
    expect([await ann.page(), await bob.page()]).toEqual([REFUSED, REFUSED]);
    await bob.reconnect();
    expect([await ann.page(), await bob.page()]).toEqual([REFUSED, WORKS]);
  });

  it("S04: leads to Connect again without a call when one bit is flipped or the value is cut", async () => {
    const { token, store, page, reconnect } = await member("Cy");
    for (const bit of bitsOf(token)) {
      await store(bent(token, bit));
      expect([bit, await page()]).toEqual([bit, REFUSED]);
    }
    for (const length of [0, 3, 4, 16, 31, 32, token.length - 1]) {
      await store(token.subarray(0, length));
      expect([length, await page()]).toEqual([length, REFUSED]);
    }
    await store(Buffer.from(web.directory.secrets.at(-1) ?? "")); // as it was before tokens were sealed
    expect(await page()).toEqual(REFUSED);
    await reconnect();
    expect(await page()).toEqual(WORKS);
  });
});

describe("a stored token of the directory", async () => {
  const directory = await runningDirectory();
  const { prisma, pool } = directory.database;

  /** Creates a consent with its token as stored. */
  async function pair() {
    const [user, application] = [await directory.user(), await directory.application()];
    const ids = { userId: user.id, clientId: application.clientId };
    const token = await directory.token(ids);
    const where = { userId_clientId: ids };
    return {
      token,
      row: () => prisma.authorization.findUniqueOrThrow({ where }),
      store: (column: "token_sealed" | "token_lookup", value: Uint8Array | null) =>
        pool.query(`UPDATE directory.authorization SET ${column} = $3 WHERE user_id = $1 AND client_id = $2`, [
          ...[user.id, application.clientId, value],
        ]),
      /** Exchanges a code, and returns the token and its user. */
      async exchange() {
        const code = await issueCode(directory.deps, { ...ids, redirectUri: CALLBACK, codeChallenge: null });
        const fields = { grant_type: "authorization_code", redirect_uri: CALLBACK, code };
        const client = { client_id: application.clientId, client_secret: application.clientSecret };
        const reply = await fetch(
          `${directory.auth}/oauth2/access_token?${new URLSearchParams({ ...fields, ...client })}`,
        );
        const { access_token = "" } = (await reply.json()) as { access_token?: string };
        const { body } = await directory.call("/v2/users/self", { oauth_token: access_token });
        return { status: reply.status, token: access_token, isOwn: body.response.user?.id === user.id };
      },
    };
  }

  it("S03: is issued to neither user after a swap", async () => {
    const [one, other] = [await pair(), await pair()];
    const [first, second] = [await one.row(), await other.row()];
    await one.store("token_sealed", second.tokenSealed);
    await other.store("token_sealed", first.tokenSealed);
    for (const each of [one, other]) {
      const given = await each.exchange();
      expect(given).toMatchObject({ status: 200, isOwn: true });
      expect([one.token, other.token]).not.toContain(given.token);
      expect(await each.exchange()).toEqual(given);
    }
  });

  it("S04: is replaced at the next log-in after one bit is flipped", async () => {
    const { store, row, exchange } = await pair();
    const seen = new Set<string>();
    for (const bit of bitsOf((await row()).tokenSealed ?? new Uint8Array())) {
      await store("token_sealed", bent((await row()).tokenSealed ?? new Uint8Array(), bit));
      const given = await exchange();
      expect([bit, given]).toMatchObject([bit, { status: 200, isOwn: true }]);
      expect(seen.has(given.token)).toBe(false);
      seen.add(given.token);
    }
  });

  it("S04: authenticates no user when one bit of its fingerprint is flipped", async () => {
    const { token, store, row } = await pair();
    const lookup = (await row()).tokenLookup ?? new Uint8Array();
    for (const bit of bitsOf(lookup)) {
      await store("token_lookup", bent(lookup, bit));
      expect([bit, (await directory.call("/v2/users/self", { oauth_token: token })).status]).toEqual([bit, 401]);
    }
    await store("token_lookup", lookup);
    expect((await directory.call("/v2/users/self", { oauth_token: token })).status).toBe(200);
  });
});

describe("the stored client secret of the web app", async () => {
  const web = await startWeb({ env: { CLIENT_ID: "", CLIENT_SECRET: "" } });
  const { pool } = web.database;

  it("S04: is not sent after one bit is flipped, and the page refers to the operator", async () => {
    const id = "01a20000-0000-7000-8000-000000000000";
    await pool.query(
      `INSERT INTO app.client_credential (id, directory, client_id, secret, switched_on_at) VALUES ($1, $2, 'fake-client', $3, now())`,
      [id, web.config.api.url, Buffer.from("not sealed with anything, and long enough")],
    );
    const page = await web.newBrowser().get("/login");
    expect([page.status, page.location]).toEqual([503, ""]);
    expect(page.body).toContain("Samespot is not registered at the venue directory yet");
    expect(web.directory.requests).toEqual([]);
  });
});
