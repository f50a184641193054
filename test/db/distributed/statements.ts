import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import type { Sql } from "../../../src/db/sql.ts";
import { evaluatorOf } from "../../support/source-values.ts";

export interface Statement {
  /** Of the source, with the line: `src/directory/venues/find.ts:20`. */
  place: string;
  sql: string;
}

const IS_STATEMENT = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|DECLARE|TRUNCATE|COPY)\b/;
const NAMES_VENUES = /\bdirectory\.venue\b/;

/** Returns the statements in `src` that name the table of venues, as the program puts them together. */
export async function venueStatements(): Promise<Statement[]> {
  const files = globSync("src/**/*.ts").filter((file) => !file.includes(`db${path.sep}generated`));
  const found = await Promise.all(
    files.sort().map((file) => {
      const source = readFileSync(file, "utf8");
      return NAMES_VENUES.test(source) ? statementsIn(file, source) : [];
    }),
  );
  return found.flat();
}

/**
 * Evaluates the text literals of a module, with the constants of the module and those that it imports. What is known only at run
 * time stands as a parameter.
 */
export async function statementsIn(file: string, source: string): Promise<Statement[]> {
  const text = stripTypeScriptTypes(source);
  const literals: [start: number, end: number][] = [];
  const tagged = new Set<number>();
  const note = (node: { start: number; end: number }) => void literals.push([node.start, node.end]);
  new Visitor({
    TaggedTemplateExpression: ({ quasi }) => void tagged.add(quasi.start),
    TemplateLiteral: note,
    Literal: (node) => typeof node.value === "string" && note(node),
  }).visit(parseSync(file.replace(/\.ts$/, ".js"), text).program);
  const evaluate = await evaluatorOf(file, source);
  const evaluated = literals.map(([start, end]) => {
    const literal = text.slice(start, end);
    return { start, sql: tagged.has(start) ? (evaluate(`sql${literal}`) as Sql).text : String(evaluate(literal)) };
  });
  return evaluated
    .filter(({ sql }) => IS_STATEMENT.test(sql) && NAMES_VENUES.test(sql))
    .map(({ start, sql }) => ({ place: `${file}:${text.slice(0, start).split("\n").length}`, sql }));
}
