// npm run bench -- search [--data FOLDER] [--rows 100k,1m,5m] [--queries 1000] [--rounds 3]: compares searches through the API
// with their limits and with common solutions, in interleaved rounds. Uses the venues of FOLDER/scale/*.csv.gz and copies of
// them; without --data synthetic ones, which are easier to distinguish.
import { parseArgs } from "node:util";
import { type Contender, contendersOf, type Size, withSizes } from "./support/contenders.ts";
import { lasting } from "./support/lasting.ts";
import { type Latency, measureCalls } from "./support/latency.ts";
import { planRows } from "./support/plans.ts";
import { postmaster, usageOf } from "./support/processes.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { withScratch } from "./support/scratch.ts";
import { countOf } from "./support/sized.ts";

const CONNECTIONS = 8;
/** A thousand searches take a third of a second, in which anything else on the machine moves the figures. */
const LEAST_MS = 2000;
/** Peers take 0.1 s and more per query, so they get only some of the queries. */
const SHARE_OF_SLOW = 0.2;

const RATIOS: [of: string, to: string, says: string][] = [
  ["match", "tutorial by radius", "match, against the tutorial by radius"],
  ["match", "tutorial by trigram", "match, against the tutorial by trigram"],
  ["match", "statement alone", "match, against its statement alone (limit)"],
  ["match", "constant answer", "match, against the constant answer"],
  ["30 nearest", "constant answer", "30 nearest, against the constant answer"],
  ["30 nearest", "nearest alone", "30 nearest, against its statement alone (limit)"],
];

export const SMALLEST = ["--rows", "2k", "--queries", "20", "--rounds", "1"];

export async function run(args: string[]): Promise<Tables> {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const options = { data: { type: "string" }, rows: text("100k"), queries: text("1000"), rounds: text("3") } as const;
  const { values } = parseArgs({ args, options });
  const sizes = values.rows.split(",").map(countOf);
  const [queries, rounds] = [Number(values.queries), Number(values.rounds)];
  return withScratch((scratch) =>
    withSizes(scratch, { sizes, queries, data: values.data }, async (ready) => {
      const results = new Map<string, Result>();
      for (let round = 0; round <= rounds; round++)
        for (const size of ready) {
          say(`${size.rows} venues, ${round === 0 ? "warm-up" : `round ${round} of ${rounds}`}…`);
          for (const contender of contendersOf(size)) await measure(results, contender, size);
          if (round === 0) results.clear();
        }
      const plans: Tables = {};
      for (const size of ready) plans[`Statements over ${size.rows} venues, medians`] = await planRows(size);
      return { ...tablesOf(results, ready), ...plans };
    }),
  );
}

interface Result {
  rounds: Latency[];
  asked: number;
  right: number;
  /** Of all processes, with the warm-up. */
  cpuMs: number;
  calls: number;
}

const keyOf = (name: string, { rows }: Pick<Size, "rows">) => `${name} ${rows}`;

async function measure(results: Map<string, Result>, contender: Contender, size: Size): Promise<void> {
  const { name, isSlow = false, connections = CONNECTIONS, ask } = contender;
  const count = Math.ceil(size.listings.length * (isSlow ? SHARE_OF_SLOW : 1));
  const result = results.get(keyOf(name, size)) ?? { rounds: [], asked: 0, right: 0, cpuMs: 0, calls: 0 };
  results.set(keyOf(name, size), result);
  const server = await postmaster(size.pool);
  const cpuMs = () => usageOf(process.pid).cpuMs + usageOf(server).cpuMs;
  const before = cpuMs();
  const call = async (index: number) => {
    result.calls += 1;
    const isRight = await ask(index);
    return () => {
      result.asked += 1;
      result.right += Number(isRight());
    };
  };
  result.rounds.push(await measureCalls(count, call, connections, lasting(LEAST_MS)));
  result.cpuMs += cpuMs() - before;
}

function tablesOf(results: Map<string, Result>, sizes: Size[]): Tables {
  const tables: Tables = {};
  const perSecond = (name: string, size: Size) => median(results.get(keyOf(name, size)), "perSecond");
  for (const size of sizes) {
    const contenders = contendersOf(size);
    tables[`Searches over ${size.rows} venues, ${CONNECTIONS} at a time`] = contenders.map(
      ({ name, knowsRight, connections = CONNECTIONS }): Row => {
        const result = results.get(keyOf(name, size));
        return {
          search: connections === 1 ? `${name} (one at a time)` : name,
          "p50 ms": median(result, "p50"),
          "p99 ms": median(result, "p99"),
          "per second": median(result, "perSecond"),
          "CPU ms": result ? result.cpuMs / result.calls : Number.NaN,
          "right first": knowsRight && result ? `${((100 * result.right) / result.asked).toFixed(1)} %` : "",
        };
      },
    );
    const has = (name: string) => contenders.some((each) => each.name === name);
    tables[`Ratios over ${size.rows} venues`] = [
      ...RATIOS.filter(([of, to]) => has(of) && has(to)).map(([of, to, says]) =>
        ratioRow(says, results.get(keyOf(of, size)), results.get(keyOf(to, size))),
      ),
      ...latencyRatios(results, size),
    ];
  }
  if (sizes.length > 1) tables["Cost of a search against the smallest size"] = growth(perSecond, sizes);
  return tables;
}

/** Compares within each round, as both then had the same machine. */
function ratioRow(ratio: string, of: Result | undefined, to: Result | undefined): Row {
  const each = (of?.rounds ?? []).map((round, index) => round.perSecond / (to?.rounds[index]?.perSecond ?? Number.NaN));
  const sorted = each.sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return { ratio, of: middle, lowest: sorted[0] ?? Number.NaN, highest: sorted.at(-1) ?? Number.NaN };
}

function latencyRatios(results: Map<string, Result>, size: Size): Row[] {
  const of = (name: string, figure: keyof Latency) => median(results.get(keyOf(name, size)), figure);
  return [
    { ratio: "p99 of match, against its p50", of: of("match", "p99") / of("match", "p50") },
    {
      ratio: "p99 of match, against the p50 of its statement alone",
      of: of("match", "p99") / of("statement alone", "p50"),
    },
    {
      ratio: "p50 of 20,000 namesakes, against match",
      of: of("20,000 namesakes", "p50") / of("match, one by one", "p50"),
    },
  ];
}

function growth(perSecond: (name: string, size: Size) => number, sizes: Size[]): Row[] {
  const [smallest, ...others] = sizes.toSorted((a, b) => a.rows - b.rows);
  if (!smallest) return [];
  return others.flatMap((size) =>
    ["match", "statement alone", "30 nearest", "text"].map((name): Row => {
      const cost = perSecond(name, smallest) / perSecond(name, size);
      const exponent = Math.log(cost) / Math.log(size.rows / smallest.rows);
      return { search: name, from: smallest.rows, to: size.rows, cost, exponent };
    }),
  );
}

function median(result: Result | undefined, figure: keyof Latency): number {
  const sorted = (result?.rounds ?? []).map((round) => round[figure]).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
