import { describe, expect, test } from "vitest";
import { randomToken } from "../../../src/shared/crypto.ts";
import { addedVenues, apiHost, freshVenue } from "../api/host.ts";

const host = await apiHost();
const PATH = "/v2/venues/add";

describe("Idempotency-Key", () => {
  test("returns the same answer to a later call by the other method", async () => {
    const given = freshVenue();
    const key = randomToken();
    const first = await host.asUser(PATH, given, { key });
    const second = await host.asUser(PATH, given, { key, method: "POST" });
    expect(second.body.response).toEqual(first.body.response);
  });

  test("is not consumed by a failed call", async () => {
    const key = randomToken();
    const given = freshVenue();
    expect((await host.asUser(PATH, { ...given, url: "nonsense" }, { key })).status).toBe(400);
    expect((await host.asUser(PATH, given, { key })).status).toBe(200);
  });

  test("leaves neither venue nor key after an interrupted call", async () => {
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

  test.each([" ", "a b", "é", "x".repeat(256)])("is rejected as %j", async (key) => {
    const answer = await host.asUser(PATH, freshVenue(), { key });
    expect(answer.body.meta).toMatchObject({ code: 400, errorType: "param_error" });
  });
});
