import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Eta } from "eta";
import { parseSync } from "oxc-parser";
import { createEta } from "../../src/http/pages/views.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** A template's first comment: optional `import type` lines, then `it:` and the type of its data. */
const HEADER = /^<%\s*\/\*\s*((?:import type [^;]+;\s*)*)it: ((?:(?!\*\/)[\s\S])+)\*\//;
const eta = new Eta();

/**
 * Writes each template of `views/` as a TypeScript module with the same name and lines into `.views/`, where `tsc`
 * checks its reads, prints and includes.
 */
export function writeTypedViews(): void {
  const folder = path.join(ROOT, ".views");
  rmSync(folder, { recursive: true, force: true });
  const names = globSync("**/*.eta", { cwd: path.join(ROOT, "views") }).map((file) => file.slice(0, -".eta".length));
  for (const name of names) {
    const file = path.join(folder, `${name}.ts`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typedView(name, readFileSync(path.join(ROOT, "views", `${name}.eta`), "utf8")));
  }
  const views = names.map((name) => `  "${name}": import("./${name}.ts").It;\n`);
  writeFileSync(path.join(folder, "all.ts"), `export interface Views {\n${views.join("")}}\n${TOOLS}`);
}

const TOOLS = `
type Data<T> = {} extends T ? [data?: T] : [data: T];
/** An included view gets its data and the frame, but nothing else from the template around it. */
export declare function include<N extends keyof Views>(name: \`/\${N}\`, ...data: Data<Views[N]>): string;
export declare function print(value: string | number | bigint): void;
`;

/** The names that a view shares its scope with in production. A view that declares one of them at its top level does not compile. */
export const ETA_NAMES = namesAround(createEta(true));

/** Keeps each line of code on its line in the template. */
export function typedView(name: string, template: string): string {
  const root = "../".repeat(name.split("/").length);
  const [header = "", imports = "", type = "{}"] = HEADER.exec(template) ?? [];
  const read = readKeys(template.slice(header.length)).map((key) => ` | "${key}"`);
  const oneLine = (text: string) => text.replace(/\s+/g, " ");
  let code = [
    `import * as __views from "${root}.views/all.ts";`,
    `import type { Frame } from "${root}src/http/pages/views.ts";`,
    oneLine(imports),
    `export type It = ${oneLine(type)};`,
    `type Unread = Exclude<keyof It, never${read.join("")}>;`,
    "declare const unread: Unread[]; void (unread satisfies never[]);",
    `export function view(it: Frame & It) { const { t, tHtml } = it, { include } = __views; ${OTHER_NAMES}`,
  ].join(" ");
  let at = 0;
  for (const part of eta.parse(template)) {
    if (typeof part === "string") continue;
    const found = template.indexOf(part.val, template.indexOf("<%", at));
    const lines = template.slice(at, found).split("\n").length - 1;
    code += "\n".repeat(lines) + (part.t === "e" ? ` ${part.val}` : ` __views.print(${part.val});`);
    at = found + part.val.length;
  }
  return `${code}\n}\n`;
}

const TYPED = ["it", "t", "tHtml", "include"];
const OTHERS = ETA_NAMES.filter((name) => !TYPED.includes(name));
const OTHER_NAMES = `let ${OTHERS.map((name) => `${name}: unknown`).join(", ")}; void [t, tHtml, include, ${OTHERS.join(", ")}];`;

/** Read from what Eta makes of an empty view. */
function namesAround(production: Eta): string[] {
  const code = production.compile("").toString();
  const [view] = parseSync("view.js", code).program.body;
  if (view?.type !== "FunctionDeclaration") throw new TypeError("Eta has not made a function of a view.");
  const declared = (view.body?.body ?? []).flatMap((statement) => {
    if (statement.type === "VariableDeclaration") return statement.declarations.map(({ id }) => id);
    return statement.type === "FunctionDeclaration" && statement.id ? [statement.id] : [];
  });
  return [...view.params, ...declared].flatMap(({ start, end }) => code.slice(start, end).match(/\w+/g) ?? []);
}

/** The keys of `it` that a template reads, singly or by destructuring. */
function readKeys(template: string): string[] {
  const single = [...template.matchAll(/\bit\.(\w+)/g)].map(([, key = ""]) => key);
  const apart = [...template.matchAll(/\{([^{}]*)\} = it\s/g)].flatMap(([, keys = ""]) => keys.match(/\w+/g) ?? []);
  return [...new Set([...single, ...apart])];
}
