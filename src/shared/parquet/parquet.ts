import { type FileHandle, open } from "node:fs/promises";
import { badRequest } from "../errors.ts";
import { readBatches } from "./batches.ts";
import {
  boundsOf,
  type Chunk,
  type Group,
  type Node,
  type ParquetLimits,
  type ParquetSource,
  readFooter,
} from "./footer.ts";
import type { Entries } from "./pages.ts";

/**
 * Values by column and row: `names.primary` of a struct; of a list its first element (`websites`, `addresses.locality`), or with
 * `[]` all of them (`categories.alternate[]`). Null where the row has none, undefined where the file lacks the column.
 */
export type Columns<Name extends string> = Record<Name, readonly unknown[] | undefined>;

export interface ParquetFile {
  rows: number;
  /** Names of the columns at the top. */
  columns: string[];
  groups: ParquetGroup[];
}

export interface ParquetGroup {
  rows: number;
  /** Least and greatest value of a column, such as `bbox.xmin`, if the file says. */
  bounds(column: string): { min: unknown; max: unknown } | undefined;
  /** Yields some rows at a time, with these columns. Throws KnownError 400 if it is damaged. */
  read<Name extends string>(columns: readonly Name[]): AsyncGenerator<Portion<Name>>;
}

interface Portion<Name extends string> {
  rows: number;
  columns: Columns<Name>;
}

const MB = 1024 * 1024;
/** Files that the operator chose may claim more than an upload: what releases have, several times over. */
const LIMITS: ParquetLimits = {
  footer: 256 * MB,
  rows: 1e10,
  page: 64 * MB,
  held: 256 * MB,
  kept: 256 * MB,
  batch: 64 * MB,
};
const MOST_ROWS = 5000;

/** Reads the end of the file only. Throws KnownError 400 if it is damaged or no Parquet file. */
export async function openParquet(path: string): Promise<ParquetFile> {
  const handle = await open(path);
  const footer = await sourceOf(handle)
    .then((source) => readFooter(source, LIMITS))
    .catch(damaged(path))
    .finally(() => handle.close());
  const paths = new Map(footer.root.children.flatMap((child) => leavesBelow(child, [])));
  const places = new Map(footer.leaves.map((leaf, at) => [leaf, at]));
  return {
    rows: footer.rows,
    columns: footer.root.children.map(({ name }) => name),
    groups: footer.groups.map((group) => {
      const chunkOf = (name: string): Chunk | undefined => {
        const leaf = paths.get(name);
        return leaf && group.chunks[places.get(leaf) as number];
      };
      return {
        rows: group.rows,
        bounds(column) {
          const chunk = chunkOf(column);
          return chunk && boundsOf(footer, chunk);
        },
        read: (names) => readPortions({ path, group, chunkOf }, names),
      };
    }),
  };
}

interface Place {
  path: string;
  group: Group;
  chunkOf(column: string): Chunk | undefined;
}

async function* readPortions<Name extends string>(
  { path, group, chunkOf }: Place,
  names: readonly Name[],
): AsyncGenerator<Portion<Name>> {
  const wanted = names.map((name) => ({ name, chunk: chunkOf(name.replace("[]", "")) }));
  const chunks = [...new Set(wanted.flatMap(({ chunk }) => chunk ?? []))];
  const handle = await open(path);
  try {
    const source = await sourceOf(handle);
    const options = { source, limits: LIMITS, keepsBytes: true, mostRows: MOST_ROWS };
    for await (const { rows, entries } of readBatches(group, chunks, options)) {
      const columns = wanted.map(({ name, chunk }) => {
        const own = chunk && entries[chunks.indexOf(chunk)];
        return [name, own && valuesByRow(chunk.node, own, name.endsWith("[]"))] as const;
      });
      yield { rows, columns: Object.fromEntries(columns) as Columns<Name> };
    }
  } catch (error) {
    await damaged(path)(error as Error);
  } finally {
    await handle.close();
  }
}

async function sourceOf(handle: FileHandle): Promise<ParquetSource> {
  const { size } = await handle.stat();
  return {
    size,
    async read(start, end) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(end - start), 0, end - start, start);
      return buffer.subarray(0, bytesRead);
    },
  };
}

/** Bytes that are no Parquet make plain errors beside ours; those of the system name the call. */
const damaged = (path: string) => (error: Error & { syscall?: string }) =>
  Promise.reject(
    error.syscall === undefined ? badRequest(`${path} is damaged or not a Parquet file (${error.message}).`) : error,
  );

/** Names the columns without the levels in which Parquet writes a list (`addresses.list.element.locality`). */
function leavesBelow(node: Node, above: string[]): [name: string, leaf: Node][] {
  const names = [...above, node.name];
  if (node.type !== undefined) return [[names.join("."), node]];
  const [list] = node.children;
  const [element, ...others] = list?.children ?? [];
  const isList = node.meaning === "list" && list?.repetition === "repeated" && element && others.length === 0;
  if (!isList) return node.children.flatMap((child) => leavesBelow(child, names));
  if (element.type !== undefined) return [[names.join("."), element]];
  return element.children.flatMap((child) => leavesBelow(child, names));
}

/** Gives a value for each row: the first of a list, or with `all` an array of those that are there. */
function valuesByRow({ definition }: Node, entries: Entries, all: boolean): unknown[] {
  const { count, values, definitions, repetitions } = entries;
  const rows: unknown[] = [];
  let next = 0;
  for (let at = 0; at < count; at++) {
    const value = definitions && definitions[at] !== definition ? null : values[next++];
    if (!repetitions || repetitions[at] === 0) rows.push(all && value !== null ? [value] : value);
    else if (all && value !== null) {
      const row = rows.at(-1);
      if (Array.isArray(row)) row.push(value);
      else rows[rows.length - 1] = [value];
    }
  }
  return rows;
}
