import {
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  parquetSchema,
  type SchemaTree,
} from "hyparquet";
import { isListLike } from "hyparquet/src/schema.js";
import { KnownError } from "../errors.ts";
import { type Leaf, readLeaf } from "./read-leaf.ts";

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
  /** Holds the whole group in memory, but only these columns. Throws KnownError 400 if it is damaged. */
  read<Name extends string>(columns: readonly Name[]): Promise<Columns<Name>>;
}

/** Reads the end of the file only. Throws KnownError 400 if it is damaged or no Parquet file. */
export async function openParquet(path: string): Promise<ParquetFile> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file, { geoparquet: false }).catch(damaged(path));
  const tree = parquetSchema(metadata);
  const paths = new Map(tree.children.flatMap((child) => leavesBelow(child, [], [tree])));
  return {
    rows: Number(metadata.num_rows),
    columns: tree.children.map(({ element }) => element.name),
    groups: metadata.row_groups.map((group) => {
      const leaves = leavesOf(group, paths);
      return {
        rows: Number(group.num_rows),
        bounds(column) {
          const { min_value: min, max_value: max } = leaves.get(column)?.metadata.statistics ?? {};
          return min === undefined || max === undefined ? undefined : { min, max };
        },
        async read<Name extends string>(columns: readonly Name[]) {
          const read = columns.map(async (column) => {
            const leaf = leaves.get(column.replace("[]", ""));
            return [column, leaf && (await readLeaf(file, leaf, { all: column.endsWith("[]") }))] as const;
          });
          return Object.fromEntries(await Promise.all(read).catch(damaged(path))) as Columns<Name>;
        },
      };
    }),
  };
}

/** hyparquet and its decompressors throw plain errors for what they do not understand; those of the system name the call. */
const damaged = (path: string) => (error: Error & { syscall?: string }) =>
  Promise.reject(
    error.syscall === undefined
      ? new KnownError(400, "param_error", `${path} is damaged or not a Parquet file (${error.message}).`)
      : error,
  );

/** Names the columns without the levels in which Parquet writes a list (`addresses.list.element.locality`). */
function leavesBelow(node: SchemaTree, names: string[], above: SchemaTree[]): [name: string, path: SchemaTree[]][] {
  const path = [...above, node];
  const named = [...names, node.element.name];
  const [list] = node.children;
  const [element] = list?.children ?? [];
  if (isListLike(node) && list && element) {
    const inside = [...path, list];
    return element.children.length === 0
      ? [[named.join("."), [...inside, element]]]
      : element.children.flatMap((child) => leavesBelow(child, named, [...inside, element]));
  }
  if (node.children.length === 0) return [[named.join("."), path]];
  return node.children.flatMap((child) => leavesBelow(child, named, path));
}

function leavesOf(group: FileMetaData["row_groups"][number], paths: ReadonlyMap<string, SchemaTree[]>) {
  const chunks = new Map(group.columns.map(({ meta_data: each }) => [each?.path_in_schema.join("."), each]));
  const leaves = new Map<string, Leaf>();
  for (const [name, path] of paths) {
    const metadata = chunks.get((path.at(-1) as SchemaTree).path.join("."));
    if (metadata) leaves.set(name, { path, metadata });
  }
  return leaves;
}
