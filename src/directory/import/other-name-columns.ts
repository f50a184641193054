import type { OtherName } from "../../matching/prepare.ts";
import { languageName } from "../../matching/text/language-name.ts";
import { fold } from "../../shared/csv/column-names.ts";

/** Columns with other names: `kind` of all their names, or the column that says it. */
export interface NameColumn {
  index: number;
  kind: string;
  variant?: number;
}

/** Plain names of columns, folded. */
const KINDS: Record<string, string> = {
  alternate: `alternatename alternatenames altname altnames alternativename alternativenames othername othernames aka alsoknownas
    alias aliases synonym synonyms intname locname natname regname localname internationalname nickname`,
  official: "officialname",
  short: "shortname",
  old: "oldname oldnames formername formernames previousname previousnames",
  brand: "brand brandname brandnamesprimary namesbrand",
  "common:en": "englishname nameenglish nameinenglish",
};

const KIND_OF = new Map(
  Object.entries(KINDS).flatMap(([kind, names]) => names.split(/\s+/).map((name) => [name, kind])),
);

/** `name:en`, `name_en`, `names.common.en`, `old_name:en`, `brand.names.common.en`, below other objects or not. */
const IN_LANGUAGE =
  /^(?:.*\.)?(?:(name|(?:alt|loc|nat|reg|official|short|old)_name|brand)(?::|_)|(brand\.)?names\.common\.)([a-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*)$/;

const RULE = /^(?:.*\.)?names\.rules\.\d+\.value$/;

/** Columns whose cells are JSON: a map by language, or a list of rules, in files that flatten no further. */
const AS_JSON = /^(brand\.)?names\.(?:common|rules)$/;

/** Says which columns hold other names of a venue, by their names. */
export function otherNameColumns(header: readonly string[], isTaken: (index: number) => boolean): NameColumn[] {
  return header.flatMap((name, index): NameColumn[] => {
    if (isTaken(index)) return [];
    const [isJson, isOfBrand] = AS_JSON.exec(name) ?? [];
    if (isJson !== undefined) return [{ index, kind: isOfBrand ? "brand" : "alternate" }];
    if (RULE.test(name)) {
      const variant = header.indexOf(name.replace(/value$/, "variant"));
      return [{ index, kind: "alternate", ...(variant >= 0 && { variant }) }];
    }
    const [, key, ofBrand, language] = IN_LANGUAGE.exec(name) ?? [];
    if (language !== undefined && languageName(language.replaceAll("_", "-")) !== undefined)
      return [{ index, kind: kindOfKey(ofBrand ? "brand" : (key ?? "name"), language) }];
    const kind = KIND_OF.get(fold(lastPart(name)).replace(/\d$/, "")) ?? KIND_OF.get(fold(name));
    return kind === undefined ? [] : [{ index, kind }];
  });
}

/** UTF-16 units of a cell that are read. */
const LOOKED_AT = 5_000;

/** The names in a row's cells. */
export const otherNamesIn = (cells: readonly string[], columns: readonly NameColumn[]): OtherName[] =>
  columns.flatMap(({ index, kind, variant }) => {
    const own = variant === undefined ? kind : kindOfVariant(cells[variant] ?? "");
    return namesIn((cells[index] ?? "").slice(0, LOOKED_AT).trim(), own);
  });

/** The kind of a variant in Overture's `names.rules`. */
export const kindOfVariant = (variant: string): string =>
  /^(?:official|short)$/.test(variant) ? variant : "alternate";

function namesIn(cell: string, kind: string): OtherName[] {
  if (/^[[{]/.test(cell)) return namesInJson(cell, kind);
  return cell.split(";").map((name) => ({ kind, name: name.trim() }));
}

function namesInJson(cell: string, kind: string): OtherName[] {
  let value: unknown;
  try {
    value = JSON.parse(cell);
  } catch {
    return [];
  }
  // Python writes a map as pairs.
  const pairs = Array.isArray(value) && value.every(Array.isArray) ? (value as unknown[][]) : undefined;
  if (Array.isArray(value) && !pairs) return value.flatMap((each) => nameIn(each, kind));
  const byLanguage = pairs ?? Object.entries(value as object);
  return byLanguage.flatMap(([language, name]) => nameIn(name, kind === "brand" ? kind : `common:${language}`));
}

function nameIn(value: unknown, kind: string): OtherName[] {
  if (typeof value === "string") return [{ kind, name: value }];
  const { value: name, variant } = (value ?? {}) as Record<string, unknown>;
  return typeof name === "string" ? [{ kind: kindOfVariant(String(variant)), name }] : [];
}

function kindOfKey(key: string, language: string): string {
  if (key === "name") return `common:${language.replaceAll("_", "-")}`;
  const [base = ""] = key.split("_");
  return ["official", "short", "old", "brand"].includes(base) ? base : "alternate";
}

const lastPart = (name: string): string => name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf("/")) + 1);
