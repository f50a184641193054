// npm run bench -- source [--before REVISION]: how large the source is and how it is divided, now and at another revision.
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type { Row, Tables } from "./support/report.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const MANY_IMPORTS = 20;

export const SMALLEST = [];

export async function run(args: string[]): Promise<Tables> {
  const { values } = parseArgs({ args, options: { before: { type: "string" } } });
  const now = figuresOf(ROOT);
  if (!values.before) return { Source: now.map(([what, figure]) => ({ what, now: figure })) };
  const before = new Map(figuresAt(values.before));
  return { Source: now.map(([what, figure]): Row => ({ what, before: before.get(what) ?? "", now: figure })) };
}

function figuresAt(revision: string): Figure[] {
  const folder = mkdtempSync(path.join(tmpdir(), "samespot-source-"));
  try {
    const archive = execFileSync("git", ["archive", revision], { cwd: ROOT, maxBuffer: 2 ** 30 });
    execFileSync("tar", ["-x", "-C", folder], { input: archive });
    return figuresOf(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Figure = [what: string, figure: number];

/** Figures of the files in a folder that Git knows, or that an archive of it holds. */
function figuresOf(root: string): Figure[] {
  const texts = (pattern: string) =>
    globSync(pattern, { cwd: root, exclude: (name) => /generated|node_modules/.test(name) }).map((file) => ({
      file,
      text: readFileSync(path.join(root, file), "utf8"),
    }));
  const [src, tests, sql] = [texts("src/**/*.ts"), texts("test/**/*.ts"), texts("prisma/migrations/**/*.sql")];
  const breakages = texts("test/breakages/**/*.{ts,breaks}");
  const lines = src.map(({ text }) => linesOf(text)).sort((a, b) => a - b);
  const inFolder = Map.groupBy(src, ({ file }) => path.dirname(file));
  const count = (pattern: RegExp, among = src) => among.filter(({ text }) => pattern.test(text)).length;
  const found = (pattern: RegExp, among = src) => sum(among.map(({ text }) => [...text.matchAll(pattern)].length));
  return [
    ["src, lines", sum(lines)],
    ["src, files", src.length],
    ["lines of a file, median", at(lines, 0.5)],
    ["lines of a file, nine of ten at most", at(lines, 0.9)],
    ["lines of a file, most", lines.at(-1) ?? 0],
    ["folders of more than 20 files", [...inFolder.values()].filter((files) => files.length > 20).length],
    [`files with ${MANY_IMPORTS} imports or more`, src.filter(({ text }) => importsOf(text) >= MANY_IMPORTS).length],
    ["statements that write a decision", found(/UPDATE app\.listing\b[^;`]*?\bdecision\s*=/g)],
    ["lines with hand-counted parameters of SQL", found(/^(?!.*\.replace).*[ (=]\$[1-9]\b/gm)],
    ["files that know of Citus", count(/citus/i)],
    ["migrations", sql.length],
    ["migrations, lines", sum(sql.map(({ text }) => linesOf(text)))],
    ["settings", new Set(texts(".env.example")[0]?.text.match(/^# ?[A-Z][A-Z_]+(?==)/gm)).size],
    ["tests, lines", sum(tests.map(({ text }) => linesOf(text)))],
    ["tests, files", tests.length],
    ["breakages, lines", sum(breakages.map(({ text }) => linesOf(text)))],
  ];
}

const linesOf = (text: string): number => text.split("\n").length - 1;
const importsOf = (text: string): number => [...text.matchAll(/^import /gm)].length;
const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);
const at = (sorted: number[], share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
