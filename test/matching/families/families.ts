import { OTHER_SCRIPTS } from "./other-scripts.ts";
import { LATIN, type Language } from "./words.ts";

export interface Family {
  language: string;
  pairs: [string, string][];
}

type Kind = "parts" | "siblings" | "firms" | "shops" | "tenants" | "same";

/** Returns pairs of names of one kind by language: every combination of its words. */
export const familiesOf = (kind: Kind): Family[] =>
  Object.entries({ ...LATIN, ...OTHER_SCRIPTS }).map(([language, words]) => ({ language, pairs: PAIRS[kind](words) }));

const PAIRS: Record<Kind, (words: Language) => [string, string][]> = {
  parts: ({ names, wholes, parts }) =>
    wholes
      .flatMap((whole) => names.map((name) => whole.replace("*", name)))
      .flatMap((whole) => parts.map((part): [string, string] => [whole, part.replace("+", whole)])),
  siblings: ({ names, siblings }) =>
    Object.entries(siblings).flatMap(([pattern, words]) =>
      filled(pattern, names).flatMap((name) => pairsOf(words.map((word) => name.replace("#", word)))),
    ),
  firms: ({ names, towers, firms }) =>
    towers.flatMap((tower) =>
      filled(tower, names).flatMap((place) => pairsOf(firms.map((firm) => place.replace(/[+#]/, firm)))),
    ),
  shops: ({ names, firms, trades }) =>
    [...names, ...firms].flatMap((shop) => trades.map((trade): [string, string] => [shop, trade.replace("+", shop)])),
  tenants: ({ tenants }) => pairsOf(tenants),
  same: ({ names, same }) =>
    same.flatMap(([one, other]) =>
      one.includes("*")
        ? names.map((name): [string, string] => [one.replace("*", name), other.replace("*", name)])
        : [[one, other] as [string, string]],
    ),
};

const filled = (pattern: string, names: string[]): string[] =>
  pattern.includes("*") ? names.map((name) => pattern.replace("*", name)) : [pattern];

const pairsOf = (list: string[]): [string, string][] =>
  list.flatMap((one, at) => list.slice(at + 1).map((other): [string, string] => [one, other]));
