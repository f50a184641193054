import { damaged } from "./fault.ts";
import type { Footer, Node } from "./footer.ts";
import type { Entries } from "./pages.ts";

/** Entries of a column, and how far they are read. */
interface Column extends Entries {
  entry: number;
  value: number;
}

interface Part {
  read(): unknown;
  /** Leaves below, whose entries stand for the same row. */
  columns: Column[];
}

/**
 * Puts rows together from the entries of their columns, as the Dremel paper describes it (levels say which of the groups above a
 * value are there, and which list goes on). A list becomes an array without the levels in which Parquet writes it, a map an object.
 */
export function recordsOf({ root, leaves }: Pick<Footer, "root" | "leaves">) {
  const columns = leaves.map(
    (): Column => ({ count: 0, values: [], definitions: undefined, repetitions: undefined, entry: 0, value: 0 }),
  );
  const byLeaf = new Map(leaves.map((leaf, at) => [leaf, columns[at] as Column]));
  const { read } = groupOf(root, byLeaf);
  return (rows: number, entries: readonly Entries[]): Record<string, unknown>[] => {
    for (const [at, column] of columns.entries()) Object.assign(column, entries[at], { entry: 0, value: 0 });
    const records = Array.from({ length: rows }, read) as Record<string, unknown>[];
    if (columns.some(({ entry, count }) => entry !== count)) throw damaged("columns of one row have other lists");
    return records;
  };
}

type Leaves = ReadonlyMap<Node, Column>;

function partOf(node: Node, leaves: Leaves): Part {
  if (node.repetition === "repeated") return listOf(node, contentOf(node, leaves));
  const content = contentOf(node, leaves);
  return node.repetition === "optional" && node.type === undefined ? optional(node, content) : content;
}

function contentOf(node: Node, leaves: Leaves): Part {
  const column = leaves.get(node);
  if (column) return leafOf(node, column);
  const [only, ...others] = node.children;
  if (!only || others.length > 0 || only.repetition !== "repeated") return groupOf(node, leaves);
  if (node.meaning === "map" && only.children.length === 2) return mapOf(only, leaves);
  if (node.meaning !== "list") return groupOf(node, leaves);
  const [element, ...more] = only.children;
  return listOf(only, element && more.length === 0 ? partOf(element, leaves) : contentOf(only, leaves));
}

function leafOf({ definition }: Node, column: Column): Part {
  return {
    columns: [column],
    read() {
      const isThere = column.definitions === undefined || column.definitions[column.entry] === definition;
      column.entry += 1;
      return isThere ? column.values[column.value++] : null;
    },
  };
}

function groupOf(node: Node, leaves: Leaves): Part {
  const parts = node.children.map((child) => ({ name: child.name, ...partOf(child, leaves) }));
  return {
    columns: parts.flatMap(({ columns }) => columns),
    read() {
      const record: Record<string, unknown> = {};
      for (const { name, read } of parts) put(record, name, read());
      return record;
    },
  };
}

/** Assigning to `__proto__` would change what the record is. */
function put(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") record[name] = value;
  else Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}

function optional(node: Node, { columns, read }: Part): Part {
  return { columns, read: () => (isThere(node, columns) ? read() : missing(columns, null)) };
}

function listOf(node: Node, { columns, read }: Part): Part {
  const [first] = columns as [Column];
  return {
    columns,
    read() {
      if (!isThere(node, columns)) return missing(columns, []);
      const list: unknown[] = [];
      do list.push(read());
      while (first.entry < first.count && first.repetitions?.[first.entry] === node.repeats);
      return list;
    },
  };
}

function mapOf(entry: Node, leaves: Leaves): Part {
  const [key, value] = entry.children.map((child) => partOf(child, leaves)) as [Part, Part];
  const pairs = listOf(entry, {
    columns: [...key.columns, ...value.columns],
    read: () => [String(key.read()), value.read()],
  });
  return { ...pairs, read: () => Object.fromEntries(pairs.read() as [string, unknown][]) };
}

const isThere = ({ definition }: Node, [first]: Column[]): boolean =>
  (first?.definitions?.[first.entry] ?? 0) >= definition;

/** What is missing has one entry in each column below. */
function missing<T>(columns: Column[], value: T): T {
  for (const column of columns) column.entry += 1;
  return value;
}
