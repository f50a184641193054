import { expect, test } from "vitest";
import { exhaust } from "../../support/database/exhausted.ts";
import { apiHost, DOWNTOWN } from "../api/host.ts";

const host = await apiHost();

test("a server error returns 500 with the request id and no detail", async () => {
  await host.deps.pool.query("ALTER TABLE directory.venue RENAME COLUMN url TO gone");
  const answer = await host.userless("/v2/venues/search", { ll: DOWNTOWN });
  expect(answer.body).toEqual({
    meta: {
      code: 500,
      errorType: "server_error",
      errorDetail: "Something went wrong on our side. Please try again.",
      errorMessage: "Something went wrong",
      requestId: expect.stringMatching(/^[0-9a-f]{24}$/),
    },
    response: {},
  });
  await host.deps.pool.query("ALTER TABLE directory.venue RENAME COLUMN gone TO url");
});

test("F13: an exhausted connection pool returns 503 with Retry-After, and the host recovers", async () => {
  const release = await exhaust(host.deps.pool);
  const answer = await host.userless("/v2/venues/search", { ll: DOWNTOWN });
  release();
  expect(answer.status).toBe(503);
  expect(answer.headers["retry-after"]).toMatch(/^\d+$/);
  expect(answer.body.meta).toMatchObject({ code: 503, errorType: "server_error" });
  expect((await host.userless("/v2/venues/search", { ll: DOWNTOWN })).status).toBe(200);
});
