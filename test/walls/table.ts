import path from "node:path";
import type { Import } from "./imports.ts";

/** A row of the table in docs/architecture.md. */
export interface Row {
  /** From the root: `src/web`, `src/main.ts`. */
  places: string[];
  /** Below `src`, or files outside it: `db`, `matching/distance.ts`, `package.json`. */
  mayImport: string[];
  /** `*` matches any ending: `zod`, `@fastify/*`, `node:*`. */
  packages: string[];
}

const HEADER = "| folder | what | may import | packages |";

/** Throws if the document has no such table. */
export function readTable(document: string): Row[] {
  const lines = document.split("\n");
  const begin = lines.indexOf(HEADER);
  if (begin < 0) throw new Error(`docs/architecture.md has no table that begins with ${HEADER}`);
  const end = lines.findIndex((line, index) => index > begin && !line.startsWith("|"));
  return lines.slice(begin + 2, end).map((line) => {
    const [, folders, , mayImport, packages] = line.split("|");
    return { places: namesIn(folders), mayImport: namesIn(mayImport), packages: namesIn(packages) };
  });
}

const namesIn = (cell = ""): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);

/** Returns why the table forbids an import, or undefined. */
export function refusal(table: Row[], { file, specifier, target }: Import): string | undefined {
  const row = rowOf(table, file);
  if (!row) return `${file} is in no row of the table of docs/architecture.md.`;
  if (target && (rowOf(table, target) === row || allowance(table, row, target))) return undefined;
  const allowed = [...row.mayImport, ...row.packages].join(", ") || "nothing";
  const what = target ? (rowOf(table, target)?.places.join(", ") ?? target) : "known only at run time";
  return `${file} imports ${specifier}, which is ${what}. The row of ${row.places.join(", ")} in docs/architecture.md allows ${allowed}.`;
}

/** Returns allowed but unused imports, each as `row: entry`. */
export function unused(table: Row[], imports: Import[]): string[] {
  const used = new Set<string>();
  for (const { file, target } of imports) {
    const row = rowOf(table, file);
    if (row && target) used.add(`${row.places.join(", ")}: ${allowance(table, row, target)}`);
  }
  const all = table.flatMap((row) =>
    [...row.mayImport, ...row.packages].map((name) => `${row.places.join(", ")}: ${name}`),
  );
  return all.filter((each) => !used.has(each));
}

/** Returns the entry that allows the row to import `target`. */
function allowance(table: Row[], row: Row, target: string): string | undefined {
  const places = rowOf(table, target)?.places ?? [];
  const isAllowed = (name: string) => target === name || target === `src/${name}` || places.includes(`src/${name}`);
  return row.mayImport.find(isAllowed) ?? row.packages.find((name) => matches(name, target));
}

const matches = (name: string, target: string) =>
  name.endsWith("*") ? target.startsWith(name.slice(0, -1)) : target === name;

/** Returns the row with the longest matching path. */
function rowOf(table: Row[], file: string): Row | undefined {
  for (let place = file; place !== "."; place = path.posix.dirname(place)) {
    const row = table.find(({ places }) => places.includes(place));
    if (row) return row;
  }
  return undefined;
}

/** Returns circular imports between files, one line per circle. */
export const circles = (imports: Import[]): string[] =>
  circlesIn(edges(imports.map(({ file, target }) => [file, target])));

/** Returns circular imports between folders, even if no file is in a circle. */
export const folderCircles = (imports: Import[]): string[] =>
  circlesIn(edges(imports.map(({ file, target }) => [folderOf(file), target && folderOf(target)])));

function circlesIn(next: Map<string, Set<string>>): string[] {
  const reached = new Map([...next.keys()].map((place) => [place, reachedFrom(next, place)]));
  const circleOf = (place: string) =>
    [...(reached.get(place) ?? [])]
      .filter((other) => reached.get(other)?.has(place))
      .sort()
      .join(" ");
  return [...new Set([...next.keys()].map(circleOf))].filter(Boolean).sort();
}

const folderOf = (file: string): string => path.posix.dirname(file);

function edges(all: [from: string, to: string | undefined][]): Map<string, Set<string>> {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of all)
    if (to?.startsWith("src") && to !== from) next.set(from, (next.get(from) ?? new Set()).add(to));
  return next;
}

function reachedFrom(next: Map<string, Set<string>>, start: string): Set<string> {
  const reached = new Set<string>();
  for (const queue = [start]; queue.length > 0; ) {
    for (const file of next.get(queue.pop() ?? "") ?? []) {
      if (reached.has(file)) continue;
      reached.add(file);
      queue.push(file);
    }
  }
  return reached;
}
