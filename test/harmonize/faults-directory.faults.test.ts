import { afterAll, expect, test } from "vitest";
import { createAuthHost } from "../../src/directory-client/auth-host.ts";
import { DirectoryError } from "../../src/directory-client/calls/errors.ts";
import { createOutbound } from "../../src/directory-client/calls/outbound.ts";
import { createDirectoryClient } from "../../src/directory-client/client.ts";
import { matchPending } from "../../src/harmonize/match/match-listings.ts";
import type { Harmonizer } from "../../src/harmonize/run/deps.ts";
import { loadHarmonization } from "../../src/harmonize/run/harmonizations.ts";
import {
  answers,
  answersError,
  answersHtml,
  confusesTypes,
  cutsAfter,
  gzipBomb,
  hangs,
  mixes,
  nests,
  rateLimits,
  redirectsTo,
  truncates,
  usual,
} from "../support/fake-directory/behaviours.ts";
import { startFakeDirectory } from "../support/fake-directory/fake-directory.ts";
import { foundBy, startHarmonizer } from "./harmonizer.ts";

const fake = await startFakeDirectory();
const { deps, state, asked, begin, listings, tries, row } = await startHarmonizer();
const dispatcher = createOutbound();
afterAll(async () => {
  await dispatcher.destroy();
  await fake.close();
});
const line = { dispatcher, deadlineMs: 400 };
const { features } = createAuthHost({ authUrl: fake.authUrl, apiUrl: fake.baseUrl }, line);
const hostile: Harmonizer = {
  ...deps,
  directory: createDirectoryClient({ ...line, baseUrl: fake.baseUrl, version: "20260101" }, features),
  authFor: async () => ({ clientId: fake.client.id, clientSecret: fake.client.secret }),
};

/** Works like a worker, but without rate-limit waits. */
async function matchToItsEnd(id: string): Promise<{ retryAts: number[] }> {
  const retryAts: number[] = [];
  const signal = new AbortController().signal;
  for (let times = 0; times < 200; times++) {
    const h = await loadHarmonization(hostile, id);
    if (h) await matchPending(hostile, h, { portion: 0, signal });
    const { retryAt, pausedFor } = await row(id);
    if (retryAt) retryAts.push((retryAt.getTime() - Date.now()) / 1000);
    if (!retryAt || pausedFor) break;
    await deps.prisma.harmonization.update({ where: { id }, data: { retryAt: null } });
  }
  return { retryAts };
}

test("F07, F08, F09: every listing is matched or fails with a reason, whatever the directory returns", async () => {
  const bad = [
    ...[
      rateLimits("7"),
      rateLimits("Wed, 21 Oct 2099 07:28:00 GMT"),
      rateLimits("soon"),
      rateLimits("-5"),
      rateLimits(),
    ],
    ...[answers(500, "{}"), answers(503, "{}"), answersError(502, "server_error"), answersHtml(), answersHtml(500)],
    ...[hangs(), cutsAfter(0), cutsAfter(60), truncates(), confusesTypes(), nests(100_000), gzipBomb(8)],
    ...[answers(200, "{}"), answers(200, "null"), redirectsTo("http://localhost:1/"), answersError(400, "param_error")],
  ];
  fake.behave("/v2/venues/search", mixes(20, [...bad, ...bad.map(() => usual), ...bad.map(() => usual)]));
  const { id } = await begin(40, { name: (number) => (number % 2 ? "Corner Coffee" : "Nowhere at all") });
  const { retryAts } = await matchToItsEnd(id);

  const after = await listings(id);
  expect(after).toHaveLength(40);
  for (const { status, problem, candidates, cells } of after)
    if (status === "failed") expect(problem).toMatchObject({ code: expect.stringMatching(/^rejected$/) });
    else
      expect({ status, found: (candidates as unknown[]).length }).toEqual({
        status: "asked",
        found: Number(cells[0] === "Corner Coffee"),
      });
  expect(after.filter(({ status }) => status === "asked").length).toBeGreaterThan(30);
  expect(retryAts.length, "it was asked to wait").toBeGreaterThan(0);
  expect(Math.max(...retryAts), "an hour at most").toBeLessThan(3601);
});

test("F07: a directory that never responds causes no loss of listings", async () => {
  fake.behave("/v2/*", cutsAfter(0));
  fake.behave("/v2/venues/search", cutsAfter(0));
  const { id } = await begin(60);
  const h = await loadHarmonization(hostile, id);
  if (h) await matchPending(hostile, h, { portion: 0, signal: new AbortController().signal });
  expect((await listings(id)).every(({ status }) => status === "pending")).toBe(true);
  expect(await tries(id)).toEqual([0]);
  expect((await row(id)).retryAt).not.toBeNull();
});

test("F07: a listing without a response fails with the reason after four attempts, and the others are matched", async () => {
  const { id } = await begin(20);
  state.answer = (query) =>
    query.name === "Place 7" ? { error: new DirectoryError("unreachable") } : { found: foundBy(query) };
  const h = await loadHarmonization(deps, id);
  if (h) await matchPending(deps, h, { portion: 0, signal: new AbortController().signal });
  const after = await listings(id);
  expect(after.filter(({ status }) => status === "asked")).toHaveLength(19);
  expect(after[6]).toMatchObject({ status: "failed", problem: { code: "unreachable" } });
  expect(asked.filter(({ name }) => name === "Place 7")).toHaveLength(4);
  expect(asked).toHaveLength(19 + 4);
});
