import { randomUUID } from "node:crypto";
import { afterAll } from "vitest";
import { PATIENT_CONNECT_MS } from "../../src/db/database.ts";
import type { DirectoryError } from "../../src/directory-client/calls/errors.ts";
import { createOutbound } from "../../src/directory-client/calls/outbound.ts";
import type { DirectoryClient, FoundVenues } from "../../src/directory-client/client.ts";
import type { Harmonizer } from "../../src/harmonize/run/deps.ts";
import { newList } from "../../src/harmonize/run/lists.ts";
import { cutPortions } from "../../src/harmonize/run/portions.ts";
import { createQueue } from "../../src/harmonize/run/queue.ts";
import type { Query } from "../../src/harmonize/run/rows.ts";
import { startWorker } from "../../src/harmonize/worker.ts";
import { createVault } from "../../src/shared/crypto.ts";
import { FILE_LIMITS } from "../../src/shared/file-limits.ts";
import { testDatabase } from "../support/database/database.ts";

export type Outcome = { found: FoundVenues } | { error: DirectoryError };
type Answer = (query: Query, auth: object) => Outcome | Promise<Outcome>;

/** Starts harmonizing on its own database at a directory that is one function. Call it at the top of a test file. */
export async function startHarmonizer() {
  const { url, database } = await testDatabase();
  const warnings: object[] = [];
  const warn = (details: object, message: string) => void warnings.push({ ...details, message });
  const log = { info: () => {}, warn };
  const state = {
    answer: (query: Query): Outcome | Promise<Outcome> => ({ found: foundBy(query) }),
    answersCategories: async () => true,
    tokens: new Map<string, string>(),
  } as { answer: Answer; answersCategories: () => Promise<boolean>; tokens: Map<string, string> };
  /** Every call with its caller. */
  const asked: { name: string; auth: object }[] = [];
  const directory = {
    async matchListings(auth: object, queries: Query[], { signal }: { signal: AbortSignal }) {
      for (const { name } of queries) asked.push({ name, auth });
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      signal.addEventListener("abort", () => reject(signal.reason));
      return Promise.race([aborted, Promise.all(queries.map((query) => state.answer(query, auth)))]);
    },
    askCategories: async () => ((await state.answersCategories()) ? [] : Promise.reject(new Error("nothing"))),
  } as unknown as DirectoryClient;
  const newDeps = (supervises = true): Harmonizer => ({
    ...{
      prisma: database.prisma,
      pool: database.pool,
      databaseUrl: url,
      directory,
      directoryUrl: "http://directory.test",
      limits: FILE_LIMITS,
    },
    queue: createQueue(url, { directoryUrl: "http://directory.test", log, supervises, connectMs: PATIENT_CONNECT_MS }),
    async authFor(accountId) {
      if (accountId === null) return { clientId: "us", clientSecret: "secret" };
      const token = state.tokens.get(accountId);
      return token === undefined ? undefined : { token };
    },
    async tokenRefused(accountId) {
      state.tokens.delete(accountId);
    },
    providerId: async () => undefined,
    webhooks: testWebhooks(),
  });
  const deps = newDeps();
  afterAll(() => deps.queue.close());
  return {
    ...{ url, database, deps, newDeps, state, asked, warnings, log },
    /** Creates a harmonization in the state `matching`, with an owner and token or without an owner. */
    begin: (count: number, more: { owned?: boolean; name?: (number: number) => string } = {}) =>
      begin(deps, state.tokens, count, more),
    listings: (harmonizationId: string) =>
      deps.prisma.listing.findMany({ where: { harmonizationId }, orderBy: { number: "asc" } }),
    /** Attempts of workers on each unfinished portion. */
    tries: async (harmonizationId: string) => {
      const orderBy = { number: "asc" } as const;
      const portions = await deps.prisma.portion.findMany({ where: { harmonizationId }, orderBy });
      return portions.map(({ tries }) => tries);
    },
    row: (id: string) => deps.prisma.harmonization.findUniqueOrThrow({ where: { id } }),
    startWorker: () => startWorker(deps, { log }),
  };
}

/** Webhooks that may call this machine, and wait for it for a second. */
export const testWebhooks = (): Harmonizer["webhooks"] => {
  const dispatcher = createOutbound({ allowLoopback: true, allowPrivate: true, writtenBy: "people" });
  const vault = createVault(["a key of the tests"], "web");
  const line = { dispatcher, deadlineMs: 1000 };
  return { line, isHttpAllowed: true, vault, appUrl: "https://samespot.example", admins: ["root"] };
};

/** A confident match with a venue of this name. */
export const foundBy = ({ name }: Query): FoundVenues => ({
  venues: [{ id: `v-${name}`, name, location: { lat: 41, lng: -71 }, score: 0.97 }] as unknown as FoundVenues["venues"],
  confident: true,
  geocode: undefined,
});

async function begin(
  { prisma, pool, directoryUrl }: Harmonizer,
  tokens: Map<string, string>,
  count: number,
  { owned = false, name = (number) => `Place ${number}` }: { owned?: boolean; name?: (number: number) => string },
) {
  const id = randomUUID();
  const accountId = owned ? randomUUID() : null;
  if (accountId) {
    await prisma.account.create({ data: { id: accountId, directory: directoryUrl, externalId: accountId } });
    tokens.set(accountId, `token of ${accountId}`);
  }
  const file = { directory: directoryUrl, name: "places.csv", header: ["name"], columns: { name: 0 } };
  const listId = await newList(prisma, { ...file, accountId });
  await prisma.harmonization.create({ data: { ...file, id, listId, accountId, state: "draft", listingCount: count } });
  const names = Array.from({ length: count }, (_, index) => name(index + 1));
  await pool.query(
    `INSERT INTO app.listing (harmonization_id, number, line, cells, query)
     SELECT $1::uuid, number, number + 1, ARRAY[name],
            jsonb_build_object('name', name, 'll', jsonb_build_object('lat', 41, 'lng', -71))
       FROM unnest($2::text[]) WITH ORDINALITY AS each(name, number)`,
    [id, names],
  );
  await cutPortions(pool, id);
  await prisma.harmonization.update({ where: { id }, data: { state: "matching" } });
  return { id, accountId };
}
