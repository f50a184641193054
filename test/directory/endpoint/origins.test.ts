import { describe, expect, test } from "vitest";
import { apiHost, credentialsOf, DOWNTOWN, expectError, V } from "../api/host.ts";

const host = await apiHost();
const PATH = "/v2/venues/search";

describe("the API host", () => {
  test.each([PATH, "/v2/nothing", "/nothing"])(
    "can be read by pages of any origin and is never cached (%s)",
    async (path) => {
      const fields = { v: V, ...credentialsOf(host.application), ll: DOWNTOWN };
      const { headers } = await host.send("GET", path, fields, { headers: { origin: "https://elsewhere.example" } });
      expect(headers).toMatchObject({
        "access-control-allow-origin": "*",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
      expect(headers).not.toHaveProperty("access-control-allow-credentials");
    },
  );

  test.each([PATH, "/v2/venues/add", "/v2/checkins/add", "/v2/venues/0123456789abcdef01234567", "/v2/nothing"])(
    "accepts an Idempotency-Key from pages of any origin (%s)",
    async (path) => {
      const headers = {
        origin: "https://elsewhere.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,idempotency-key",
      };
      const answer = await host.send("OPTIONS", path, {}, { headers });
      expect([answer.status, answer.text]).toEqual([204, ""]);
      expect(answer.headers).toMatchObject({
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "GET, POST",
        "access-control-allow-headers": "authorization, content-type, idempotency-key",
        "access-control-max-age": expect.stringMatching(/^\d+$/),
      });
      expect(answer.headers).not.toHaveProperty("access-control-allow-credentials");
    },
  );

  test("is readable for every origin even when the address is malformed", async () => {
    const answer = await host.send("GET", "/v2/%zz");
    expectError(answer, 400, "param_error");
    expect(answer.headers["access-control-allow-origin"]).toBe("*");
  });
});
