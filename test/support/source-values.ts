import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { Prisma } from "../../src/db/generated/client.ts";
import { type SqlValue, sql } from "../../src/db/sql.ts";

/**
 * Returns what evaluates expressions of a module, with its constants and functions and those that it imports. What is known only at
 * run time is UNKNOWN, in Sql a value; of what functions return, only Sql is known.
 */
export async function evaluatorOf(file: string, source: string): Promise<(expression: string) => unknown> {
  const text = stripTypeScriptTypes(source);
  const { program } = parseSync(file.replace(/\.ts$/, ".js"), text);
  const initials = new Map<string, string>();
  const imported = new Map<string, [module: string, name: string]>();
  const slice = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === "Identifier" && init && !initials.has(id.name)) initials.set(id.name, slice(init));
    },
    FunctionDeclaration: (node) => {
      if (node.id && !node.async) initials.set(node.id.name, `(${slice(node)})`);
    },
    ImportDeclaration: ({ source: from, specifiers }) => {
      for (const each of specifiers)
        if (each.type === "ImportSpecifier") imported.set(each.local.name, [from.value, slice(each.imported)]);
    },
  }).visit(program);
  const values = new Map<string, unknown>([["Prisma", Prisma], ["sql", sqlOf], ["Object", Object]]); // biome-ignore format: short
  for (const [name, [module, exported]] of imported) {
    if (!module.startsWith(".") || values.has(name)) continue;
    const value = (await import(path.resolve(path.dirname(file), module)))[exported];
    values.set(name, typeof value === "function" && !module.endsWith("/tiles.ts") ? onlySql(value) : value);
  }
  const scope = scopeOf(values, initials);
  return (expression) => evaluate(expression, scope);
}

const sqlOf = (strings: readonly string[], ...values: unknown[]) =>
  sql(strings, ...values.map((value) => (value ?? UNKNOWN) as SqlValue));

function onlySql(work: (...args: unknown[]) => unknown) {
  return (...args: unknown[]) => {
    try {
      const result = work(...args);
      return result instanceof Prisma.Sql ? result : UNKNOWN;
    } catch {
      return UNKNOWN;
    }
  };
}

const evaluate = (expression: string, scope: object): unknown =>
  new Function("scope", `with (scope) { return (${expression}); }`)(scope);

function scopeOf(values: Map<string, unknown>, initials: Map<string, string>): object {
  const scope: object = new Proxy(
    {},
    {
      has: () => true,
      get(_, name) {
        if (typeof name === "symbol") return undefined;
        if (name === "undefined") return undefined;
        if (values.has(name)) return values.get(name);
        values.set(name, UNKNOWN); // while it is evaluated
        const initial = initials.get(name);
        try {
          if (initial !== undefined && !/^(await|new)\b/.test(initial))
            values.set(name, orUnknown(evaluate(initial, scope)));
        } catch {
          // Known only at run time.
        }
        return values.get(name);
      },
    },
  );
  return scope;
}

/** Lets what a function cannot work out without values of run time be unknown to those that call it. */
function orUnknown(value: unknown): unknown {
  if (typeof value !== "function" || value === UNKNOWN) return value;
  return (...args: unknown[]) => {
    try {
      return value(...args);
    } catch {
      return UNKNOWN;
    }
  };
}

/** Whatever is done with it, it is a parameter of the statement. */
const UNKNOWN: object = new Proxy(() => {}, {
  get: (_, name) => (name === Symbol.toPrimitive || name === "toString" ? () => "$1" : UNKNOWN),
  apply: () => UNKNOWN,
});
