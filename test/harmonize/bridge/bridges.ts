import type { Auth } from "../../../src/directory-client/calls/answers.ts";
import { DirectoryError } from "../../../src/directory-client/calls/errors.ts";
import type { VenueOutcome } from "../../../src/directory-client/venues.ts";
import { type Bridge, type BridgeRow, bridgeOf, bridgeRows } from "../../../src/harmonize/bridge/bridge.ts";
import { receiveBridge } from "../../../src/harmonize/bridge/receive.ts";
import { takeOver } from "../../../src/harmonize/bridge/take-over.ts";
import { exportText } from "../../../src/harmonize/export/export.ts";
import type { ExportFormat } from "../../../src/harmonize/export/formats.ts";
import type { Harmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { startHarmonizer } from "../harmonizer.ts";
import { type MadeListing, makeAccount, makeHarmonization } from "../rows.ts";

/** Venues that are not the open venue with the id asked for. */
interface Other extends Partial<Record<"id" | "name", string>> {
  location?: { lat: number; lng: number };
  closed?: boolean;
  source?: { attribution: string };
  error?: DirectoryError;
}

/** Bridge files on their own database at a directory where every venue is open, except `others`. */
export async function startBridges() {
  const harmonizer = await startHarmonizer();
  const { deps, database, state } = harmonizer;
  const others: Record<string, Other> = {};
  const asked: string[][] = [];
  deps.directory.venues = async (_auth: Auth, ids, { signal } = {}) => {
    asked.push([...ids]);
    signal?.throwIfAborted();
    return ids.map((id): VenueOutcome => {
      const { error, ...other } = others[id] ?? {};
      if (error) return { error };
      const venue = { id, name: `Venue ${id}`, location: { lat: 41.82, lng: -71.41 }, ...other };
      return { venue: venue as Extract<VenueOutcome, { venue: unknown }>["venue"] };
    });
  };
  const ada = await makeAccount(database, "Ada", deps.directoryUrl);
  state.tokens.set(ada, "Ada's token");
  const person = { id: ada, isAdmin: false };

  const never = new AbortController().signal;
  const list = (listings: MadeListing[], name = "shops.csv") =>
    makeHarmonization(database, ada, listings, {
      ...{ directory: deps.directoryUrl, name },
      format: { encoding: "utf-8", separator: ",", hasHeader: true },
    });
  const send = (
    h: Harmonization,
    content: string | Uint8Array,
    { name = "bridge.csv", dataset = "", limits = deps.limits } = {},
  ) => {
    const bytes = (async function* () {
      yield Buffer.from(content);
    })();
    return receiveBridge({ ...deps, limits }, h, person, { name, dataset, bytes, signal: never });
  };
  const run = (h: Harmonization, signal = never) => takeOver(deps, h, { signal, calls: signal });
  const listings = (h: Harmonization) =>
    database.prisma.listing.findMany({ where: { harmonizationId: h.id }, orderBy: { number: "asc" } });
  const rows = async (h: Harmonization): Promise<BridgeRow[]> => {
    const all: BridgeRow[] = [];
    for await (const some of bridgeRows(deps, h)) all.push(...some);
    return all;
  };
  return {
    ...{ harmonizer, deps, database, others, asked, ada, person, list, send, run, listings },
    bridge: (h: Harmonization) => bridgeOf(deps, h),
    rows,
    /** Each row of the file as `record venue outcome`. */
    outcomes: async (h: Harmonization): Promise<string[]> =>
      (await rows(h)).map(({ recordId, venueId, outcome }) => `${recordId} ${venueId} ${outcome}`),
    async exported(h: Harmonization, format: ExportFormat): Promise<Buffer> {
      const pieces: Buffer[] = [];
      for await (const piece of exportText(deps, h, { format, hasCandidates: false })) pieces.push(Buffer.from(piece));
      return Buffer.concat(pieces);
    },
    undo: async (h: Harmonization) => {
      const about = (await bridgeOf(deps, h)) as Bridge;
      await database.prisma.sideTask.updateMany({
        where: { harmonizationId: h.id },
        data: { wantedAt: new Date(), about: { ...about, isUndoing: true } as object },
      });
      await run(h);
    },
  };
}

export const missing = () => new DirectoryError("not_found");
