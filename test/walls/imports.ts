import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync, Visitor } from "oxc-parser";

/** A static, type or dynamic import, or a re-export. Paths are relative to the root of the tree, with slashes. */
export interface Import {
  file: string;
  specifier: string;
  /** Path of the file, or name of the package; undefined if it is known only at run time. */
  target: string | undefined;
}

/** Returns all imports in `src` below `root`, by file, except generated code. */
export function importsOf(root = "."): Import[] {
  const files = globSync("src/**/*.ts", { cwd: root }).map((file) => file.replaceAll(path.sep, "/"));
  const own = files.filter((file) => !file.startsWith("src/db/generated/")).sort();
  return own.flatMap((file) => importsIn(file, readFileSync(path.join(root, file), "utf8")));
}

/** Throws if `source` does not parse. */
export function importsIn(file: string, source: string): Import[] {
  const { program, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const found: Import[] = [];
  const add = (node: { type: string; start: number; end: number } | null) => {
    if (!node) return;
    const value = "value" in node && typeof node.value === "string" ? node.value : undefined;
    const specifier = value ?? source.slice(node.start, node.end);
    found.push({ file, specifier, target: value === undefined ? undefined : targetOf(file, value) });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
    TSExternalModuleReference: (node) => add(node.expression),
  }).visit(program);
  return found;
}

function targetOf(file: string, specifier: string): string {
  if (/^\.\.?\//.test(specifier)) return path.posix.join(path.posix.dirname(file), specifier);
  if (/^(node:|[#/])/.test(specifier)) return specifier;
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
