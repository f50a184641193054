import { parse } from "libpg-query";
import { ON_ONE_SERVER } from "../../../src/db/citus/distributed.ts";

/** A node of libpg-query, of any kind. */
type Node = Record<string, unknown>;

/**
 * Returns why Citus would refuse the statement on the table of venues, which is distributed by tile. It has refused each of these
 * kinds (docs/decisions/0009). A statement that names a tile wherever it names the table runs on one server, in nearly every form.
 */
export async function refusalsOf(sql: string): Promise<string[]> {
  if (sql.includes(ON_ONE_SERVER) || /^\s*(COPY|TRUNCATE)\b/.test(sql)) return [];
  const { stmts = [] } = await parse(sql);
  const nodes = [...nodesIn(stmts)];
  if (
    !nodes.some(([kind, node]) => kind === "RangeVar" && isVenues(node)) &&
    !nodes.some(([, node]) => isVenues(node.relation))
  )
    return [];
  const isOfOneTile = nodes.every(([kind, node]) => !(kind in TABLES) || namesItsTiles(kind, node));
  const found = nodes.flatMap(([kind, node]) => [
    ...writeRefusals(kind, node),
    ...(isOfOneTile ? [] : readRefusals(kind, node)),
  ]);
  return [...new Set(found)];
}

/** Returns all nodes below with their kinds, a part of a node with the name of its field. */
function* nodesIn(value: unknown, kind = ""): Generator<[string, Node]> {
  if (Array.isArray(value)) for (const each of value) yield* nodesIn(each, kind);
  else if (typeof value === "object" && value !== null) {
    yield ["op" in value && /^[lr]arg$/.test(kind) ? "SelectStmt" : kind, value as Node]; // a part of UNION
    for (const [name, part] of Object.entries(value)) yield* nodesIn(part, name);
  }
}

const isVenues = (node: unknown): node is Node =>
  (node as Node | undefined)?.schemaname === "directory" && (node as Node).relname === "venue";

/** Where statements of a kind name their own tables. */
const TABLES: Record<string, (node: Node) => unknown> = {
  SelectStmt: ({ fromClause }) => fromClause,
  UpdateStmt: ({ relation, fromClause }) => [relation, fromClause],
  DeleteStmt: ({ relation, usingClause }) => [relation, usingClause],
};

function namesItsTiles(kind: string, node: Node): boolean {
  const conditions = conjunctsOf(node.whereClause).map((each) => JSON.stringify(each ?? null));
  return ownTables(TABLES[kind]?.(node)).every(({ alias }) => {
    const { aliasname = "venue" } = (alias ?? {}) as { aliasname?: string };
    const column = `{"fields":[{"String":{"sval":"${aliasname}"}},{"String":{"sval":"tile"}}]`;
    return conditions.some((each) => each.includes(`"lexpr":{"ColumnRef":${column}`) && !each.includes("OP_ANY"));
  });
}

function ownTables(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(ownTables);
  const { RangeVar, JoinExpr } = (value ?? {}) as Record<string, Node>;
  if (JoinExpr) return ownTables([JoinExpr.larg, JoinExpr.rarg]);
  const table = RangeVar ?? value;
  return isVenues(table) ? [table] : [];
}

function conjunctsOf(condition: unknown): unknown[] {
  const { BoolExpr } = (condition ?? {}) as Record<string, { boolop?: string; args?: unknown[] }>;
  return BoolExpr?.boolop === "AND_EXPR" ? (BoolExpr.args ?? []).flatMap(conjunctsOf) : [condition];
}

function readRefusals(kind: string, node: Node): string[] {
  if (kind === "lockingClause") return ["FOR UPDATE without the tile"];
  if (kind === "withClause") return ["WITH without the tile"];
  if (kind === "SelectStmt" && !node.targetList && node.op === "SETOP_NONE" && !node.valuesLists)
    return ["SELECT without columns: write SELECT 1"];
  if (
    kind in TABLES &&
    ownTables(TABLES[kind]?.(node)).length > 0 &&
    asksLocalTable([node.whereClause, node.targetList])
  )
    return ["EXISTS of another table: take the venues from a subquery with OFFSET 0"];
  const { SelectStmt } = (node.subquery ?? {}) as Record<string, Node>;
  return kind === "RangeSubselect" && node.lateral && SelectStmt?.limitCount
    ? ["LATERAL with LIMIT without the tile"]
    : [];
}

const asksLocalTable = (conditions: unknown): boolean =>
  [...nodesIn(conditions)].some(
    ([kind, { subLinkType, subselect }]) =>
      kind === "SubLink" &&
      subLinkType === "EXISTS_SUBLINK" &&
      [...nodesIn(subselect)].some(([part, table]) => part === "RangeVar" && !isVenues(table)),
  );

/** Functions whose result may depend on settings, of those that a statement would return. */
const STABLE = new Set(
  "to_json to_jsonb row_to_json json_build_object jsonb_build_object json_build_array jsonb_build_array to_char now random concat concat_ws format".split(
    " ",
  ),
);

function writeRefusals(kind: string, node: Node): string[] {
  if (!isVenues(node.relation)) return [];
  const refused = [];
  const names = [...nodesIn(node.targetList)].flatMap(([part, { name }]) => (part === "ResTarget" ? name : []));
  if (kind === "UpdateStmt" && names.includes("tile")) refused.push("UPDATE of the tile: delete the row and insert it");
  const conflict = JSON.stringify(node.onConflictClause ?? { name: "tile" });
  if (!conflict.includes('"name":"tile"')) refused.push("ON CONFLICT without the tile");
  for (const [part, { funcname, args }] of nodesIn(node.returningClause)) {
    const isOfPlainColumn =
      JSON.stringify(args ?? []).includes('"ColumnRef"') && !JSON.stringify(args).includes('"timezone"');
    if (part !== "FuncCall") continue;
    const [name = ""] = [...nodesIn(funcname)]
      .flatMap(([, { sval }]) => (typeof sval === "string" ? sval : []))
      .slice(-1);
    if (name === "extract" && isOfPlainColumn)
      refused.push("RETURNING extract() of a time with a time zone: write AT TIME ZONE 'UTC'");
    if (STABLE.has(name)) refused.push(`RETURNING ${name}(): read the rows before`);
  }
  return refused;
}
