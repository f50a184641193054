import { describe, expect, test } from "vitest";
import { randomToken } from "../../src/crypto.ts";
import { addApplication } from "../../src/directory/applications.ts";
import { addedVenues, apiHost, connect, freshVenue, venueOf } from "./api-host.ts";

const host = await apiHost();
const PATH = "/v2/venues/add";

describe("Idempotency-Key", () => {
  test("gives sixteen calls at the same moment one venue and one answer", async () => {
    const given = freshVenue();
    const key = randomToken();
    const before = Number(await addedVenues(host));
    const answers = await Promise.all(Array.from({ length: 16 }, () => host.asUser(PATH, given, { key })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    for (const { body } of answers) expect(body.response).toEqual(answers[0]?.body.response);
    expect(await addedVenues(host)).toBe(before + 1);
  });

  test("gives a later call, by the other method, the same answer", async () => {
    const given = freshVenue();
    const key = randomToken();
    const first = await host.asUser(PATH, given, { key });
    const second = await host.asUser(PATH, given, { key, method: "POST" });
    expect(second.body.response).toEqual(first.body.response);
  });

  test("with other parameters is answered 409", async () => {
    const key = randomToken();
    const given = freshVenue();
    await host.asUser(PATH, given, { key });
    const answer = await host.asUser(PATH, { ...given, city: "Elsewhere" }, { key });
    expect(answer.body.meta).toMatchObject({
      code: 409,
      errorType: "other",
      errorDetail: expect.stringContaining("Idempotency-Key"),
    });
  });

  test("is another key for another user and for another application", async () => {
    const key = randomToken();
    const { id } = venueOf(await host.asUser(PATH, freshVenue(), { key }));
    const someone = await host.newUser();
    const { clientId } = await addApplication(host.deps, {
      ownerId: someone.userId,
      name: "Other app",
      redirectUris: ["https://other.example/"],
    });
    const elsewhere = await connect(host.deps, { userId: host.user.userId, clientId });
    for (const { token } of [someone, elsewhere]) {
      const answer = await host.asUser(PATH, freshVenue(), { key, token });
      expect(answer.status).toBe(200);
      expect(venueOf(answer).id).not.toBe(id);
    }
  });

  test("is not used up by a call that failed", async () => {
    const key = randomToken();
    const given = freshVenue();
    expect((await host.asUser(PATH, { ...given, url: "nonsense" }, { key })).status).toBe(400);
    expect((await host.asUser(PATH, given, { key })).status).toBe(200);
  });

  test("of a call that broke off leaves neither venue nor key", async () => {
    const key = randomToken();
    const given = freshVenue();
    const { pool } = host.deps;
    await pool.query("ALTER TABLE directory.idempotency_key ADD CONSTRAINT broken CHECK (body IS NULL) NOT VALID");
    const before = await addedVenues(host);
    expect((await host.asUser(PATH, given, { key })).status).toBe(500);
    await pool.query("ALTER TABLE directory.idempotency_key DROP CONSTRAINT broken");
    expect(await addedVenues(host)).toBe(before);
    expect((await host.asUser(PATH, given, { key })).status).toBe(200);
  });

  test.each([" ", "a b", "é", "x".repeat(256)])("%j is refused", async (key) => {
    const answer = await host.asUser(PATH, freshVenue(), { key });
    expect(answer.body.meta).toMatchObject({ code: 400, errorType: "param_error" });
  });
});
