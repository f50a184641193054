import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import pg from "pg";
import type { Node } from "typescript/unstable/ast";
import { API, type Checker, type Type, type TypeReference } from "typescript/unstable/sync";
import { afterAll, expect, test } from "vitest";
import type { Prisma } from "../../src/db/generated/client.ts";
import { type Db, queryRow, queryRows, type Sql } from "../../src/db/sql.ts";
import { testDatabase } from "../support/database/database.ts";
import { evaluatorOf } from "../support/source-values.ts";

/** Statements whose table or parts are chosen at run time, or is not there on one server that has been migrated. */
const UNCHECKED = [
  'src/db/bulk.ts: syntax error at or near "$1"',
  'src/db/keys.ts: syntax error at or near "$1"',
  'src/db/keys.ts: syntax error at or near "$1"',
  'src/db/keys.ts: syntax error at or near "$1"',
  "src/db/roles.ts: function run_command_on_workers(unknown) does not exist",
  'src/directory/corrections/merged-names.ts: relation "incoming" does not exist',
  'src/directory/import/release/edition.ts: syntax error at or near "$1"',
  'src/directory/import/release/edition.ts: relation "missing" does not exist',
  'src/directory/import/release/edition.ts: relation "missing" does not exist',
  'src/directory/import/release/edition.ts: relation "missing" does not exist',
  'src/doctor/data.ts: relation "pgboss.job" does not exist',
  'src/harmonize/conflicts/look.ts: syntax error at or near "$2"',
  'src/harmonize/conflicts/other-files.ts: syntax error at or near "$2"',
  'src/harmonize/review/family.ts: syntax error at or near "$1"',
  'src/harmonize/review/order.ts: syntax error at or near "$2"',
  'src/harmonize/run/queue.ts: relation "pgboss.job" does not exist',
  'src/http/pages/sessions.ts: syntax error at or near "$1"',
  'src/http/pages/sessions.ts: syntax error at or near "TypeError"',
];

const { url } = await testDatabase({ onOneServer: true });
const client = new pg.Client(url);
await client.connect();
const api = new API({ cwd: process.cwd() });
const [project] = api.updateSnapshot({ openProjects: [path.resolve("tsconfig.json")] }).getProjects();
afterAll(() => {
  api.close();
  return client.end();
});

interface Call {
  /** `src/directory/tokens.ts:20`. */
  place: string;
  file: string;
  /** Where the row type begins in the file. */
  typeAt: number;
  text: string;
  isPrisma: boolean;
}

/** Returns the calls of queryRows, queryRow, takeLocks and $queryRaw that name a row type and have their statement with them. */
async function callsIn(file: string, source: string): Promise<Call[]> {
  const found: [quasi: string, typeAt: number, isPrisma: boolean][] = [];
  const js = stripTypeScriptTypes(source);
  new Visitor({
    TaggedTemplateExpression({ tag, quasi, typeArguments }) {
      const literal = js.slice(quasi.start, quasi.end);
      if (
        tag.type === "CallExpression" &&
        tag.callee.type === "Identifier" &&
        /^queryRows?$/.test(tag.callee.name) &&
        tag.typeArguments
      )
        found.push([literal, tag.typeArguments.params[0]?.start ?? 0, false]);
      if (
        tag.type === "MemberExpression" &&
        source.slice(tag.property.start, tag.property.end) === "$queryRaw" &&
        typeArguments
      )
        found.push([literal, typeArguments.params[0]?.start ?? 0, true]);
    },
    CallExpression({ callee, arguments: [, statement], typeArguments }) {
      if (
        callee.type === "Identifier" &&
        callee.name === "takeLocks" &&
        typeArguments &&
        statement?.type === "TaggedTemplateExpression"
      )
        found.push([js.slice(statement.quasi.start, statement.quasi.end), typeArguments.params[0]?.start ?? 0, false]);
    },
  }).visit(parseSync(file, source).program);
  const evaluate = found.length > 0 ? await evaluatorOf(file, source) : () => undefined;
  return found.map(([literal, typeAt, isPrisma]) => {
    const text = textOf(() => (evaluate(`sql${literal}`) as Sql).text);
    return { place: `${file}:${source.slice(0, typeAt).split("\n").length}`, file, typeAt, text, isPrisma };
  });
}

function textOf(evaluate: () => string): string {
  try {
    return evaluate();
  } catch (error) {
    return String(error);
  }
}

type Columns = Map<string, number>;

/** Returns the columns of a statement with the ids of their types, without running it. */
function describeColumns(text: string): Promise<Columns> {
  const { promise, resolve, reject } = Promise.withResolvers<Columns>();
  const columns: Columns = new Map();
  let failure: Error | undefined;
  const describing = {
    submit(connection: { parse(query: object): void; describe(what: object): void; sync(): void }) {
      connection.parse({ text, name: "", types: [] });
      connection.describe({ type: "S", name: "" });
      connection.sync();
    },
    handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }) {
      for (const { name, dataTypeID } of fields) columns.set(name, dataTypeID);
    },
    handleError(error: Error) {
      failure = error;
      reject(error);
    },
    handleReadyForQuery: () => failure ?? resolve(columns),
  };
  client.query(describing as unknown as pg.Submittable);
  return promise;
}

const TYPES = pg.types.builtins;

/** What a driver makes of a type; of other types, enums among them, text. */
function typeNameOf(oid: number, isPrisma: boolean): string {
  if (oid === TYPES.BOOL) return "boolean";
  if ([TYPES.INT2, TYPES.INT4, TYPES.OID, TYPES.FLOAT4, TYPES.FLOAT8].includes(oid)) return "number";
  if (oid === TYPES.INT8) return isPrisma ? "bigint" : "string";
  if (oid === TYPES.NUMERIC && isPrisma) return "Decimal";
  if (oid === TYPES.BYTEA) return "bytes";
  if ([TYPES.TIMESTAMPTZ, TYPES.TIMESTAMP, TYPES.DATE].includes(oid)) return "Date";
  if ([TYPES.JSONB, TYPES.JSON].includes(oid)) return "any";
  return ARRAYS.has(oid) ? "array" : "string";
}

const ARRAYS = new Set(
  (await client.query("SELECT oid::int FROM pg_type WHERE typcategory = 'A'")).rows.map(({ oid }) => oid as number),
);

function typeNodes(root: Node, wanted: ReadonlySet<number>): Map<number, Node> {
  const found = new Map<number, Node>();
  const visit = (node: Node): undefined => {
    const start = node.getStart();
    // The outermost node that begins there.
    if (wanted.has(start) && !found.has(start)) found.set(start, node);
    node.forEachChild(visit);
  };
  visit(root);
  return found;
}

/** Returns how the row type differs from the columns. */
function differences(checker: Checker, row: Type, columns: Columns, isPrisma: boolean): string[] {
  const keys = new Map(checker.getPropertiesOfType(row).map((key) => [key.name, key]));
  const OPTIONAL = 1 << 24;
  const missing = [...keys.values()].filter((key) => !columns.has(key.name) && !(key.flags & OPTIONAL));
  const unread = [...columns.keys()].filter((name) => !keys.has(name) && name !== "?column?");
  const wrong = [...keys].flatMap(([name, key]) => {
    const oid = columns.get(name);
    const type = checker.getTypeOfSymbol(key);
    const given = type && checker.getNonNullableType(type);
    if (oid === undefined || !given) return [];
    const says = checker.typeToString(given);
    const is = typeNameOf(oid, isPrisma);
    return fits(checker, given, says, is) ? [] : [`${name} is ${is}, not ${says}`];
  });
  return [
    ...missing.map(({ name }) => `no column ${name}`),
    ...unread.map((name) => `a column ${name} too many`),
    ...wrong,
  ];
}

function fits(checker: Checker, type: Type, says: string, is: string): boolean {
  if (is === "any" || says === "any" || says === "unknown") return true;
  if (is === "string") return checker.isTypeAssignableTo(type, checker.getStringType());
  if (is === "number") return checker.isTypeAssignableTo(type, checker.getNumberType());
  if (is === "boolean") return checker.isTypeAssignableTo(type, checker.getBooleanType());
  if (is === "bytes") return /^(Buffer|Uint8Array)/.test(says);
  if (is === "array") return checker.isArrayLikeType(type);
  return says === is;
}

/** Returns how the row types of calls differ from the database, and which calls it cannot compare. */
async function compare(calls: Call[]): Promise<{ wrong: string[]; unchecked: string[] }> {
  const [wrong, unchecked]: [string[], string[]] = [[], []];
  for (const [file, own] of Map.groupBy(calls, (call) => call.file)) {
    const source = project?.program.getSourceFile(path.resolve(file));
    const nodes = source ? typeNodes(source, new Set(own.map(({ typeAt }) => typeAt))) : new Map<number, Node>();
    for (const { place, typeAt, text, isPrisma } of own) {
      const node = nodes.get(typeAt);
      const named = node && project?.checker.getTypeAtLocation(node);
      const row = named && isPrisma ? project?.checker.getTypeArguments(named as TypeReference)[0] : named;
      const columns = await describeColumns(text).catch((error: Error) => error);
      if (!row || !project) throw new Error(`${place} has no row type.`);
      if (columns instanceof Error) unchecked.push(`${file}: ${columns.message}`);
      else wrong.push(...differences(project.checker, row, columns, isPrisma).map((each) => `${place} ${each}`));
    }
  }
  return { wrong, unchecked };
}

test("row types have the columns of their statements, with the types that the driver returns", async () => {
  const files = globSync("src/**/*.ts").filter((file) => !file.includes(`db${path.sep}generated`));
  const calls = (await Promise.all(files.sort().map((file) => callsIn(file, readFileSync(file, "utf8"))))).flat();
  expect(calls.length).toBeGreaterThan(100);
  expect(await compare(calls)).toEqual({ wrong: [], unchecked: UNCHECKED });
});

/** Not called: every row type is wrong. */
const PLANTED = [
  (db: Db) => queryRow<{ id: string; handle: string }>(db)`SELECT id FROM directory."user"`,
  (db: Db) => queryRow<{ id: string }>(db)`SELECT id, handle FROM directory."user"`,
  (db: Db) => queryRows<{ total: number }>(db)`SELECT count(*) AS total FROM directory."user"`,
  (db: Db) => queryRows<{ createdAt: string | null }>(db)`SELECT created_at AS "createdAt" FROM directory."user"`,
  (tx: Prisma.TransactionClient) => tx.$queryRaw<{ total: string }[]>`SELECT count(*) AS total FROM directory."user"`,
];

test("planted row types that are wrong are found", async () => {
  const file = path.relative(process.cwd(), import.meta.filename);
  const { wrong } = await compare(await callsIn(file, readFileSync(file, "utf8")));
  expect(wrong.map((each) => each.replace(/^\S+ /, ""))).toEqual([
    "no column handle",
    "a column handle too many",
    "total is string, not number",
    "createdAt is Date, not string",
    "total is bigint, not string",
  ]);
  expect(wrong).toHaveLength(PLANTED.length);
});
