// npm run bench -- duplicates [--rows 1m] [--each 30]: plants duplicates and near-misses of each kind in the sample and
// searches for them, then searches synthetic venues, a second time without a change, and a third time after 1 % were moved.
import path from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { measurePlanted } from "./support/find-planted.ts";
import { samespot } from "./support/programs.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { type Scratch, withScratch } from "./support/scratch.ts";
import { countOf, sizedDatabase } from "./support/sized.ts";

export const SMALLEST = ["--rows", "2k", "--each", "1"];

export async function run(args: string[]): Promise<Tables> {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const { values } = parseArgs({ args, options: { rows: text("1m"), each: text("30") } });
  const [rows, each] = [countOf(values.rows), countOf(values.each)];
  return withScratch(async (scratch) => {
    say("Planting duplicates in the sample…");
    const planted = await measurePlanted(scratch, path.join(scratch.folder, "planted.csv"), each);
    return rows === 0 ? planted : { ...planted, ...(await measureLarge(scratch, rows)) };
  });
}

async function measureLarge(scratch: Scratch, rows: number): Promise<Tables> {
  const sized = await sizedDatabase(scratch, rows);
  const searches: Row[] = [await measureSearch(sized, "first")];
  searches.push(await measureSearch(sized, "second, nothing changed"));
  await withClient(sized.url, (client) =>
    client.query("UPDATE directory.venue SET phone = '+14015550100' WHERE hashtext(id) % 100 = 0"),
  );
  searches.push(await measureSearch(sized, "third, 1 % changed"));
  return { [`Search of ${rows} venues`]: searches };
}

async function measureSearch(scratch: Scratch, search: string): Promise<Row> {
  say(`Searching (${search})…`);
  const { answer, seconds, megabytes } = await samespot(scratch, ["venues", "duplicates"]);
  const { passed, compared, groups } = answer as Record<"passed" | "compared" | "groups", number>;
  return { search, venues: passed, compared, groups, s: seconds, "venues/s": passed / seconds, "peak MB": megabytes };
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  return work(client).finally(() => client.end());
}
