import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { Eta } from "eta";
import { parseSync, Visitor } from "oxc-parser";
import { typedView } from "../views/typed.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const eta = new Eta();

const VIEWS = globSync("views/**/*.eta", { cwd: ROOT }).sort();
const SOURCES = globSync("src/**/*.ts", { cwd: ROOT, exclude: ["src/db/generated/**", "src/language/**"] }).sort();

/** The first argument of each call of t() and tHtml(): its text, or undefined if it is not a literal. */
export function translatedTexts(): { file: string; text: string | undefined }[] {
  const views = VIEWS.map((file) => ({
    file,
    code: typedView(file.slice("views/".length, -".eta".length), read(file)),
  }));
  const sources = SOURCES.map((file) => ({ file, code: read(file) }));
  return [...views, ...sources].flatMap(({ file, code }) => textsIn(code).map((text) => ({ file, text })));
}

export function textsIn(code: string): (string | undefined)[] {
  if (!/\bt(Html)?\(/.test(code)) return [];
  const texts: (string | undefined)[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== "Identifier" || !["t", "tHtml"].includes(callee.name)) return;
      if (first?.type === "Literal" && typeof first.value === "string") texts.push(first.value);
      else if (first?.type === "TemplateLiteral" && first.expressions.length === 0)
        texts.push(first.quasis[0]?.value.cooked ?? undefined);
      else texts.push(undefined);
    },
  }).visit(parseSync("code.ts", code).program);
  return texts;
}

/** Views that print words outside t(), with the first of these. */
export const untranslatedViews = (): { view: string; words: string }[] =>
  VIEWS.flatMap((file) => {
    const [words] = untranslatedIn(read(file));
    return words ? [{ view: file.slice("views/".length, -".eta".length), words }] : [];
  });

const NAMES = /\b(Samespot|CSV|XLSX|GeoJSON|NDJSON|Parquet|JSON|UTC|RFC|Excel|OpenRefine|https)\b/g;
const ATTRIBUTES = /\s(?:title|alt|placeholder|aria-label)="([^"]*)"/g;
/** In code: what partials print. */
const PARTIALS =
  /\b(?:label|hint|heading|message|title|empty|legend|placeholder|words): (?:'([^']*)'|"([^"]*)"|`([^`]*)`)/g;

export function untranslatedIn(template: string): string[] {
  const parts = eta.parse(template);
  const code = parts.flatMap((part) => (typeof part === "string" ? [] : [part.val])).join("\n");
  const html = parts
    .map((part) => (typeof part === "string" ? part.replaceAll("\\'", "'").replaceAll("\\n", "\n") : "\0"))
    .join("");
  const bare = html.replace(/<!doctype[^>]*>/i, "").replace(/<(script|style|code|kbd)\b[^>]*>[\s\S]*?<\/\1>/g, "");
  const printed = bare.replace(/<[^<>]*>/g, "\0").split("\0");
  const given = [...bare.matchAll(ATTRIBUTES)].flatMap(([, value = ""]) => value.split("\0"));
  const included = [...code.matchAll(PARTIALS)].map(([, ...texts]) => texts.find(Boolean) ?? "");
  return [...printed, ...given, ...included]
    .map((text) =>
      text
        .replace(/&\w+;/g, " ")
        .replace(NAMES, "")
        .replace(/\$\{[^}]*\}/g, "")
        .trim(),
    )
    .filter((text) => /\p{L}{2}/u.test(text));
}
