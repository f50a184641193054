import { isDeepStrictEqual } from "node:util";
import { bareCopy } from "./bare-copy.ts";
import { type Client, samespot, withDirectory } from "./programs.ts";
import { PER_THOUSAND, type ReleaseName, writeRelease } from "./releases.ts";
import { type Row, say } from "./report.ts";
import type { Scratch } from "./scratch.ts";

/** Imports the venues of a CSV as each release publishes them, then their next edition while searches run. */
export async function measureReleases(scratch: Scratch, csv: string, rows: number) {
  const [first, next]: [Row[], Row[]] = [[], []];
  for (const release of ["overture", "foursquare"] as const) {
    say(`Writing ${rows} places as ${release} publishes them…`);
    const { file } = await writeRelease(release, csv, scratch);
    const { file: nextFile, merged } = await writeRelease(release, csv, { ...scratch, isNext: true });
    say("Importing…");
    const imported = await samespot(scratch, ["import", file, "--edition", "2026-11", "--replace"]);
    if (imported.answer.new !== rows) throw new Error(`${imported.answer.new} of ${rows} venues were imported.`);
    const bare = await bareCopy(scratch);
    first.push(rowOf(release, rows, imported, bare));
    say("Importing the next edition while searches run…");
    const command = ["import", nextFile, "--edition", "2026-12", "--merged", merged];
    const { result, searches, slowest } = await withDirectory(scratch, (client) =>
      whileSearching(client, () => samespot(scratch, command)),
    );
    checkReport(release, rows, result.answer);
    const { seconds, megabytes } = result;
    next.push({ release, rows, s: seconds, "peak MB": megabytes, searches, errors: 0, "slowest ms": slowest });
  }
  return { first, next };
}

function rowOf(release: ReleaseName, rows: number, { seconds, megabytes }: Measured, bare: number): Row {
  return {
    ...{ release, rows, "import s": seconds, "rows/s": rows / seconds, "peak MB": megabytes, "COPY s": bare },
    ratio: bare / seconds,
  };
}

type Measured = Awaited<ReturnType<typeof samespot>>;

/** Throws unless the report is right to the row. */
function checkReport(release: ReleaseName, rows: number, answer: Record<string, unknown>): void {
  const expected = Object.fromEntries(Object.entries(PER_THOUSAND).map(([what, n]) => [what, (n * rows) / 1000]));
  const given = Object.fromEntries(Object.keys(expected).map((what) => [what, answer[what]]));
  if (isDeepStrictEqual(given, expected)) return;
  throw new Error(`The report of ${release} says ${JSON.stringify(given)}, not ${JSON.stringify(expected)}.`);
}

/** One search after the other. Throws if one fails. */
async function whileSearching<Result>({ baseUrl, credentials }: Client, work: () => Promise<Result>) {
  let isDone = false;
  const finished = work().finally(() => {
    isDone = true;
  });
  let [searches, slowest] = [0, 0];
  while (!isDone) {
    const ll = `${26.1 + (searches % 20) * 0.5},${-121.5 + (searches % 40)}`;
    const ways = [{ ll }, { ll, query: "coffee" }, { ll, intent: "match", name: "Union Station Brewery" }];
    const query = new URLSearchParams({ ...credentials, ...ways[searches % ways.length] } as Record<string, string>);
    const begun = performance.now();
    const { status } = await fetch(`${baseUrl}/v2/venues/search?${query}`);
    if (status !== 200) throw new Error(`A search was answered with ${status}.`);
    slowest = Math.max(slowest, performance.now() - begun);
    searches += 1;
  }
  return { result: await finished, searches, slowest };
}
