import { afterAll, expect, test, vi } from "vitest";
import { createAuthHost } from "../../src/directory-client/auth-host.ts";
import { createOutbound } from "../../src/directory-client/calls/outbound.ts";
import { answers, answersHtml, rateLimits } from "../support/fake-directory/behaviours.ts";
import { startFakeDirectory } from "../support/fake-directory/fake-directory.ts";

const directory = await startFakeDirectory();
afterAll(directory.close);
const line = { dispatcher: createOutbound(), deadlineMs: 500 };

test.each([
  ["in JSON", rateLimits("7")],
  ["in HTML", answersHtml(429)],
])("429 %s leaves the directory's features unknown", async (_form, behaviour) => {
  const host = createAuthHost({ authUrl: directory.authUrl, apiUrl: directory.baseUrl }, line);
  directory.behave("/.well-known/*", behaviour);
  await expect(host.features()).rejects.toMatchObject({ kind: "rate_limited", retryAfter: expect.any(Number) });
  directory.behave("/.well-known/*", answers(200, { issuer: directory.authUrl }));
  expect((await host.features()).echoesState).toBe(true);
});

test("missing directory metadata is cached for a minute, and existing metadata for ten", async () => {
  const now = vi.spyOn(performance, "now");
  const begun = performance.now();
  const host = createAuthHost({ authUrl: directory.authUrl, apiUrl: directory.baseUrl }, line);
  const asked = async (minutes: number) => {
    now.mockReturnValue(begun + minutes * 60_000);
    const before = directory.requests.length;
    const { echoesState } = await host.features();
    return [echoesState, directory.requests.length > before];
  };
  directory.behave("/.well-known/*", answersHtml(404));
  expect([await asked(0), await asked(0.9)]).toEqual([
    [false, true],
    [false, false],
  ]);
  directory.behave("/.well-known/*", answers(200, { issuer: directory.authUrl }));
  expect([await asked(1.1), await asked(11), await asked(11.2)]).toEqual([
    [true, true],
    [true, false],
    [true, true],
  ]);
  now.mockRestore();
});
