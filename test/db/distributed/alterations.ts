import { type Node, parse } from "libpg-query";

/** Returns what a migration does to the table of venues that Citus does not take. */
export async function alterationsOf(sql: string): Promise<string[]> {
  const { stmts = [] } = await parse(sql);
  return stmts.flatMap(({ stmt }) => (stmt ? alterationsIn(stmt) : []));
}

function alterationsIn(node: Node): string[] {
  const isVenues = JSON.stringify(node).includes('"schemaname":"directory","relname":"venue"');
  if (!isVenues) return [];
  if ("AlterTableStmt" in node && (node.AlterTableStmt.cmds ?? []).length > 1)
    return ["ALTER TABLE with several parts: write one for each"];
  if ("IndexStmt" in node && node.IndexStmt.unique && !JSON.stringify(node.IndexStmt.indexParams).includes('"tile"'))
    return ["a unique index without the tile"];
  return "CreateTrigStmt" in node ? ["a trigger"] : [];
}
