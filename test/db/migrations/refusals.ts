import {
  type AlterTableCmd,
  type AlterTableStmt,
  type ColumnDef,
  type Constraint,
  type DropStmt,
  type IndexStmt,
  type Node,
  parse,
} from "libpg-query";
import type { Migration } from "../../../src/db/migration-files.ts";

interface Seen {
  /** Tables that the migration creates: nobody uses them yet. */
  created: Set<string>;
  /** Constraints that an earlier migration validates. */
  validated: Set<string>;
}

/** Statements that lock nothing for long and take nothing away. */
const HARMLESS = [
  ...[
    "CreateStmt",
    "CreateEnumStmt",
    "CreateSchemaStmt",
    "CreateExtensionStmt",
    "CreateFunctionStmt",
    "CreateTrigStmt",
  ],
  ...["ViewStmt", "CommentStmt", "GrantStmt", "AlterEnumStmt"],
];
/** Parts of ALTER TABLE that lock the table for a moment and take nothing away. */
const HARMLESS_PARTS = [
  ...["AT_ColumnDefault", "AT_DropNotNull", "AT_SetStatistics", "AT_SetRelOptions", "AT_ResetRelOptions"],
  ...["AT_DropConstraint", "AT_SetStorage", "AT_SetCompression"],
];
/** Statements that take longer with more rows. */
const HEAVY = /^(AT_ValidateConstraint|INSERT of a query|CREATE MATERIALIZED VIEW)$/;

/**
 * Returns why servers of this and of the former release could not both work while the migration runs and afterwards; what to do
 * instead is in CONTRIBUTING.md. Knows what is harmless, and refuses the rest. `earlier` is the SQL of the migrations before.
 */
export async function refusalsOf(migration: Pick<Migration, "sql" | "isBackground" | "isInStretches">, earlier = ";") {
  const nodes = await nodesOf(migration.sql);
  if (migration.isBackground) return nodes.flatMap(inBackground);
  if (migration.isInStretches) return nodes.length === 1 ? [] : ["a migration without a transaction has one statement"];
  const seen = { created: tablesOf(nodes), validated: validatedIn(await nodesOf(earlier)) };
  const refused = nodes.flatMap((node) => inTransaction(node, seen));
  const heavy = nodes.flatMap(stepsOf).filter((step) => HEAVY.test(step));
  if (heavy.length > 0 && nodes.length > 1)
    refused.push(`${heavy[0]}: a step that reads a table is a migration by itself`);
  return [...refused, ...nodes.flatMap((node) => usesOfNewValue(node, nodes))];
}

async function nodesOf(sql: string): Promise<Node[]> {
  return ((await parse(sql)).stmts ?? []).flatMap(({ stmt }) => stmt ?? []);
}

/** Returns the one key and the content of a node. */
function open(node: Node): [string, Record<string, unknown>] {
  const [entry] = Object.entries(node);
  return entry as [string, Record<string, unknown>];
}

const tablesOf = (nodes: Node[]) =>
  new Set(nodes.flatMap((node) => ("CreateStmt" in node ? nameOf(node.CreateStmt.relation) : [])));

const nameOf = (relation: { schemaname?: string; relname?: string } | undefined) =>
  `${relation?.schemaname ?? "public"}.${relation?.relname}`;

function partsOf(node: Node): AlterTableCmd[] {
  const parts = "AlterTableStmt" in node ? (node.AlterTableStmt.cmds ?? []) : [];
  return parts.flatMap((part) => ("AlterTableCmd" in part ? part.AlterTableCmd : []));
}

function validatedIn(nodes: Node[]): Set<string> {
  const parts = nodes.flatMap(partsOf).filter(({ subtype }) => subtype === "AT_ValidateConstraint");
  return new Set(parts.map(({ name }) => name ?? ""));
}

/** What the statement does, as HEAVY names it. */
function stepsOf(node: Node): string[] {
  if ("InsertStmt" in node) {
    const { selectStmt } = node.InsertStmt;
    return selectStmt && "SelectStmt" in selectStmt && selectStmt.SelectStmt.valuesLists ? [] : ["INSERT of a query"];
  }
  if ("CreateTableAsStmt" in node) return ["CREATE MATERIALIZED VIEW"];
  return partsOf(node).map(({ subtype }) => subtype ?? "");
}

function inBackground(node: Node): string[] {
  if ("IndexStmt" in node) {
    const { concurrent, if_not_exists, idxname, relation } = node.IndexStmt;
    const isSafe = concurrent && if_not_exists && idxname && relation?.schemaname;
    return isSafe ? [] : [`${idxname}: write CREATE INDEX CONCURRENTLY IF NOT EXISTS "name" ON "schema"."table"`];
  }
  if ("DropStmt" in node && node.DropStmt.removeType === "OBJECT_INDEX") {
    const { concurrent, missing_ok } = node.DropStmt;
    return concurrent && missing_ok ? [] : ["write DROP INDEX CONCURRENTLY IF EXISTS"];
  }
  return [`${open(node)[0]}: only indexes are built and dropped in the background`];
}

function inTransaction(node: Node, seen: Seen): string[] {
  if ("AlterTableStmt" in node) return alterations(node.AlterTableStmt, seen);
  if ("IndexStmt" in node) return index(node.IndexStmt, seen);
  if ("DropStmt" in node) return drop(node.DropStmt);
  if ("AlterEnumStmt" in node && node.AlterEnumStmt.oldVal)
    return [`${node.AlterEnumStmt.oldVal}: the former release knows only the old value`];
  if ("RenameStmt" in node) return [`${node.RenameStmt.newname}: the former release knows only the old name`];
  if ("UpdateStmt" in node || "DeleteStmt" in node) {
    const { relation } = "UpdateStmt" in node ? node.UpdateStmt : (node as { DeleteStmt: IndexStmt }).DeleteStmt;
    return seen.created.has(nameOf(relation))
      ? []
      : [`${nameOf(relation)}: change rows in stretches, without a transaction`];
  }
  const [kind] = open(node);
  const isKnown = HARMLESS.includes(kind) || kind === "InsertStmt" || kind === "CreateTableAsStmt";
  return isKnown ? [] : [`${kind} is not known to be harmless`];
}

function index({ idxname, relation }: IndexStmt, { created }: Seen): string[] {
  return created.has(nameOf(relation)) ? [] : [`${idxname}: build the index in the background`];
}

function drop({ removeType }: DropStmt): string[] {
  return removeType === "OBJECT_INDEX"
    ? ["drop the index in the background"]
    : [`DROP of ${removeType}: the former release may use it`];
}

function alterations({ relation, cmds }: AlterTableStmt, seen: Seen): string[] {
  const table = nameOf(relation);
  if (seen.created.has(table)) return [];
  return (cmds ?? []).flatMap((part) => ("AlterTableCmd" in part ? alteration(table, part.AlterTableCmd, seen) : []));
}

function alteration(table: string, part: AlterTableCmd, { validated }: Seen): string[] {
  const { subtype = "AT_AddColumn", name, def } = part;
  if (subtype === "AT_AddColumn" && def && "ColumnDef" in def) return newColumn(table, def.ColumnDef);
  if (subtype === "AT_AddConstraint" && def && "Constraint" in def) return newConstraint(table, def.Constraint);
  if (subtype === "AT_DropColumn") return [`${table}.${name}: the former release may use the column`];
  if (subtype === "AT_AlterColumnType") return [`${table}.${name}: a new type rewrites the table; add a column`];
  if (subtype === "AT_SetNotNull") {
    const check = `${table.split(".")[1]}_${name}_not_null`;
    return validated.has(check)
      ? []
      : [`${table}.${name}: NOT NULL reads the table, unless an earlier migration validates ${check}`];
  }
  const isKnown = HARMLESS_PARTS.includes(subtype) || subtype === "AT_ValidateConstraint";
  return isKnown ? [] : [`${table}: ${subtype} is not known to be harmless`];
}

const REFUSED_IN_COLUMN = /^CONSTR_(UNIQUE|PRIMARY|FOREIGN|CHECK|GENERATED|IDENTITY)$/;

function newColumn(table: string, { colname, typeName, constraints = [] }: ColumnDef): string[] {
  const column = `${table}.${colname}`;
  const all = constraints.flatMap((each) => ("Constraint" in each ? each.Constraint : []));
  const byDefault = all.find(({ contype }) => contype === "CONSTR_DEFAULT");
  const refused = [];
  if (/serial/.test(JSON.stringify(typeName?.names))) refused.push(`${column}: a serial column rewrites the table`);
  for (const { contype = "" } of all)
    if (REFUSED_IN_COLUMN.test(contype)) refused.push(`${column}: ${contype} rewrites or reads the table`);
  if (byDefault && /"FuncCall"/.test(JSON.stringify(byDefault)))
    refused.push(`${column}: a default by a function may rewrite the table`);
  if (!byDefault && all.some(({ contype }) => contype === "CONSTR_NOTNULL"))
    refused.push(`${column}: the former release leaves a NOT NULL column empty; give it a default`);
  return refused;
}

function newConstraint(table: string, { contype, conname, skip_validation, indexname }: Constraint): string[] {
  const isSafe = skip_validation || (contype === "CONSTR_UNIQUE" && indexname);
  return isSafe ? [] : [`${table}: add the constraint ${conname} NOT VALID, and validate it in the next migration`];
}

/** PostgreSQL refuses to use a new value of an enum in the transaction that adds it. */
function usesOfNewValue(node: Node, nodes: Node[]): string[] {
  const value = "AlterEnumStmt" in node ? node.AlterEnumStmt.newVal : undefined;
  const isUsed =
    value && nodes.some((other) => other !== node && JSON.stringify(other).includes(JSON.stringify(value)));
  return isUsed ? [`${value}: use a new value in a later migration`] : [];
}
