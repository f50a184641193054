// npm run bench -- writing [--rows 5k] [--venues 100k]: adds all rows of a file of new venues, and annotates them, with two workers,
// compared with a plain loop of eight single calls at once.
import { Agent } from "node:http";
import { setTimeout as after } from "node:timers/promises";
import { parseArgs } from "node:util";
import { loadHarmonization } from "../src/harmonize/run/harmonizations.ts";
import { newList } from "../src/harmonize/run/lists.ts";
import { type HarmonizeSite, withHarmonizeSite } from "./support/harmonize-site.ts";
import { lasting } from "./support/lasting.ts";
import { ask, measureCalls } from "./support/latency.ts";
import { logIn, type Member } from "./support/member.ts";
import { samespot } from "./support/programs.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { withScratch } from "./support/scratch.ts";
import { countOf, sizedDatabase, venuesOf } from "./support/sized.ts";
import type { MadeVenue } from "./support/venues.ts";
import { watch } from "./support/watch.ts";

const PASSWORD = "a password of some length";

/** Calls of a loop, some of them for its warm-up. */
const LOOP = 3000;
const AT_ONCE = 8;

export const SMALLEST = ["--rows", "100", "--venues", "2k"];

export async function run(args: string[]): Promise<Tables> {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const { values } = parseArgs({ args, options: { rows: text("5k"), venues: text("100k") } });
  const [rows, venues] = [countOf(values.rows), countOf(values.venues)];
  return withScratch(async (scratch) => {
    const sized = await sizedDatabase(scratch, venues);
    await samespot(sized, ["user", "add", "--handle", "bench", "--password-stdin"], PASSWORD);
    const made = await venuesAfter(venues, rows + lasting(LOOP));
    return withHarmonizeSite(sized, async (site) => {
      const member = await logIn(site, "bench", PASSWORD);
      const file = await begin(site, made.slice(0, rows));
      const loops = await plainLoops(site, file, made.slice(rows));
      const tables: Tables = {};
      for (const stage of ["add", "annotate"] as const) {
        say(`The file: ${stage}…`);
        const over = watch(site.processes);
        const begun = performance.now();
        await press(site, member, file, stage);
        const perSecond = rows / ((performance.now() - begun) / 1000);
        tables[`${stage}, ${rows} rows over ${venues} venues`] = [
          { what: "rows a second", figure: perSecond },
          { what: `single calls a second, ${AT_ONCE} at once`, figure: loops[stage] },
          { what: "ratio", figure: perSecond / loops[stage] },
          ...(await outcomes(site, file.id)),
          ...over().map(({ name, cpuMs }): Row => ({ what: `CPU ms a row, ${name}`, figure: cpuMs / rows })),
        ];
      }
      return tables;
    });
  });
}

/** Venues that follow those in the directory: new ones in the same towns. */
async function venuesAfter(venues: number, count: number): Promise<MadeVenue[]> {
  const made: MadeVenue[] = [];
  let index = 0;
  for await (const venue of venuesOf(venues + count)) if (index++ >= venues) made.push(venue);
  return made;
}

interface File {
  id: string;
  accountId: string;
  categoryId: string;
}

/** Creates a matched file without matches. */
async function begin({ deps: { prisma, directory, directoryUrl } }: HarmonizeSite, made: MadeVenue[]): Promise<File> {
  const account = await prisma.account.findFirstOrThrow();
  const auth = { accountId: account.id, directory: directoryUrl };
  const header = ["id", "name", "lat", "lng", "address"];
  const columns = { id: 0, name: 1, lat: 2, lng: 3, address: 4 };
  const listId = await newList(prisma, { ...auth, name: "new.csv" });
  const { id } = await prisma.harmonization.create({
    data: { ...auth, listId, name: "new.csv", header, columns, listingCount: made.length, state: "draft" },
  });
  const data = made.map(({ id: ownId, name, lat, lng, address }, at) => {
    const query = { name, ll: { lat: Number(lat), lng: Number(lng) }, ...(address && { address }) };
    const cells = [ownId, name, String(lat), String(lng), address ?? ""];
    return { harmonizationId: id, number: at + 1, line: at + 2, cells, ownId, query, status: "asked" as const };
  });
  for (let from = 0; from < data.length; from += 500)
    await prisma.listing.createMany({ data: data.slice(from, from + 500) });
  await prisma.harmonization.update({ where: { id }, data: { state: "ready" } });
  const [category] = await prisma.category.findMany({ where: { children: { none: {} } }, take: 1 });
  await directory.honoursKeys();
  return { id, accountId: account.id, categoryId: category?.id ?? "" };
}

/** Returns adds and annotations per second. */
async function plainLoops({ baseUrl, deps, credentials }: HarmonizeSite, file: File, made: MadeVenue[]) {
  const auth = await deps.authFor(file.accountId);
  const who = { v: credentials.v ?? "", oauth_token: auth && "token" in auth ? auth.token : "" };
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const ids: string[] = [];
  const call = (path: string, fields: Record<string, string>) =>
    ask(`${baseUrl}/v2/venues/${path}?${new URLSearchParams({ ...who, ...fields })}`, agent);
  let next = 0;
  const add = async () => {
    const { name, lat, lng, address } = made[next++ % made.length] as MadeVenue;
    const venue = { name, ll: `${lat},${lng}`, primaryCategoryId: file.categoryId, ...(address && { address }) };
    const body = await call("add", venue).catch(String); // a 409 costs as much
    const [, id] = /"venue":\{"id":"(\w+)"/.exec(body) ?? [];
    if (id) ids.push(id);
    return () => {};
  };
  const annotate = async () => {
    const at = next++;
    const link = { venueId: ids[at % ids.length] ?? "", linkedId: `loop ${at}` };
    await call("annotate", { ...link, providerId: (await deps.providerId()) ?? "" });
    return () => {};
  };
  say("A plain loop of adds, and one of annotations…");
  const count = Math.min(1000, made.length / 2);
  const adds = await measureCalls(count, add, AT_ONCE);
  const annotations = await measureCalls(count, annotate, AT_ONCE);
  agent.destroy();
  return { add: adds.perSecond, annotate: annotations.perSecond };
}

async function press({ deps }: HarmonizeSite, member: Member, { id, categoryId }: File, stage: "add" | "annotate") {
  await member.press(`/harmonizations/${id}/${stage}`, stage === "add" ? { categoryId } : {});
  for (;;) {
    const { state, task } = (await loadHarmonization(deps, id)) ?? {};
    if ((task as { kind?: string } | null | undefined)?.kind !== stage)
      throw new Error(`The app did not begin to ${stage}.`);
    if (state === "ready") return;
    await after(50);
  }
}

async function outcomes({ deps }: HarmonizeSite, id: string): Promise<Row[]> {
  const { task } = (await loadHarmonization(deps, id)) ?? {};
  const { report = {} } = (task ?? {}) as { report?: Record<string, number> };
  return Object.entries(report).map(([what, figure]) => ({ what, figure }));
}
