import type { LookupFunction } from "node:net";
import { afterAll, onTestFinished } from "vitest";
import { createAuthHost } from "../../src/directory-client/auth-host.ts";
import { createOutbound } from "../../src/directory-client/calls/outbound.ts";
import { createDirectoryClient, type DirectoryClient } from "../../src/directory-client/client.ts";
import { matchPending } from "../../src/harmonize/match/match-listings.ts";
import { loadHarmonization } from "../../src/harmonize/run/harmonizations.ts";
import { startHarmonizer } from "../harmonize/harmonizer.ts";
import { startFakeDirectory } from "../support/fake-directory/fake-directory.ts";

/** Per call. */
export const DEADLINE_MS = 1000;

/** Starts harmonizing for clients of misbehaving directories. Call it at the top of a test file. */
export async function startAtDirectories() {
  const fake = await startFakeDirectory();
  afterAll(fake.close);
  const { deps, begin, listings, tries, row } = await startHarmonizer();
  return {
    ...{ fake, begin, listings, tries, row },
    clientOf(baseUrl: string, lookup?: LookupFunction): DirectoryClient {
      const dispatcher = createOutbound({ allowLoopback: true, ...(lookup && { lookup }) });
      onTestFinished(() => dispatcher.destroy());
      const line = { dispatcher, deadlineMs: DEADLINE_MS };
      const { features } = createAuthHost({ authUrl: fake.authUrl, apiUrl: baseUrl }, line);
      return createDirectoryClient({ ...line, baseUrl, version: "20260101" }, features);
    },
    /** Runs a worker's `match` task once at that directory. */
    async matchAt(directory: DirectoryClient, id: string): Promise<void> {
      const h = await loadHarmonization(deps, id);
      const run = { portion: 0, signal: new AbortController().signal };
      if (h) await matchPending({ ...deps, directory }, h, run);
    },
  };
}

export const askAbout = (directory: DirectoryClient) =>
  directory.matchVenues({ token: "t" }, { name: "A", ll: { lat: 1, lng: 1 } }, {});
