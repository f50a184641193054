import { t } from "../../../language/translate.ts";

interface Found {
  count: number;
  /** The list may be cut, so its length is not the total. */
  isFull: boolean;
  query: string;
  /** `around`: a point in a town. */
  where: "near" | "around" | "point" | "anywhere";
  /** Name of the place or the town. */
  place: string;
}

export function headingInWords({ isFull, ...found }: Found): string {
  const { count, query, where } = found;
  if (count === 0)
    return t("Nothing found{where, select, near { near {place}} around { around {place}} other {}}", found);
  if (query)
    return t(
      "{isFull, select, true {{count, plural, one {Best match} other {# best matches}}} other {{count, plural, one {# match} other {# matches}}}} for “{query}”{where, select, near { near {place}} around { near {place}} anywhere {, anywhere} other {}}",
      { ...found, isFull: String(isFull) },
    );
  if (where === "near") return t("{count, plural, one {# venue} other {# venues}} near {place}", found);
  return isFull
    ? t("{count, plural, one {Nearest venue} other {# nearest venues}}", { count })
    : t("{count, plural, one {# venue} other {# venues}} nearby", { count });
}
