import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { parseSync, Visitor } from "oxc-parser";

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
  const { program } = parseSync(file.replace(/\.ts$/, ".js"), text);
  const literals: [start: number, end: number][] = [];
  const initials = new Map<string, string>();
  const imported = new Map<string, [module: string, name: string]>();
  const note = (node: { start: number; end: number }) => void literals.push([node.start, node.end]);
  new Visitor({
    TemplateLiteral: note,
    Literal: (node) => typeof node.value === "string" && note(node),
    VariableDeclarator: ({ id, init }) => {
      if (id.type === "Identifier" && init && !initials.has(id.name))
        initials.set(id.name, text.slice(init.start, init.end));
    },
    ImportDeclaration: ({ source: from, specifiers }) => {
      for (const each of specifiers)
        if (each.type === "ImportSpecifier")
          imported.set(each.local.name, [from.value, text.slice(each.imported.start, each.imported.end)]);
    },
  }).visit(program);
  const values = new Map<string, unknown>([["Prisma", PRISMA]]);
  for (const [name, [module, exported]] of imported) {
    if (!module.startsWith(".") || values.has(name)) continue;
    const value = (await import(path.resolve(path.dirname(file), module)))[exported];
    values.set(name, typeof value === "function" && !module.endsWith("/tiles.ts") ? UNKNOWN : value);
  }
  const scope = scopeOf(values, initials);
  const evaluated = literals.map(([start, end]) => ({ start, sql: String(evaluate(text.slice(start, end), scope)) }));
  return evaluated
    .filter(({ sql }) => IS_STATEMENT.test(sql) && NAMES_VENUES.test(sql))
    .map(({ start, sql }) => ({ place: `${file}:${text.slice(0, start).split("\n").length}`, sql }));
}

const PRISMA = { sql: String.raw, raw: (text: string) => text };

const evaluate = (expression: string, scope: object): unknown =>
  new Function("scope", `with (scope) { return (${expression}); }`)(scope);

function scopeOf(values: Map<string, unknown>, initials: Map<string, string>): object {
  const scope: object = new Proxy(
    {},
    {
      has: () => true,
      get(_, name) {
        if (typeof name === "symbol") return undefined;
        if (values.has(name)) return values.get(name);
        values.set(name, UNKNOWN); // while it is evaluated
        const initial = initials.get(name);
        try {
          if (initial !== undefined && !/^(await|new)\b/.test(initial)) values.set(name, evaluate(initial, scope));
        } catch {
          // Known only at run time.
        }
        return values.get(name);
      },
    },
  );
  return scope;
}

/** Whatever is done with it, it is a parameter of the statement. */
const UNKNOWN: object = new Proxy(() => {}, {
  get: (_, name) => (name === Symbol.toPrimitive || name === "toString" ? () => "$1" : UNKNOWN),
  apply: () => UNKNOWN,
});
