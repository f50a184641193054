import { z } from "zod";
import { wholeNumber } from "../../../contract/parameters.ts";
import type { Outcome } from "../../../harmonize/run/rows.ts";
import { t } from "../../../language/translate.ts";
import { facetFields, facetsIn } from "../base/filter.ts";
import { SHOWN_OUTCOMES } from "../base/outcomes.ts";

const number = (name: string) => wholeNumber(name, 0, 2_000_000_000).optional();

/** `unwritten`: the matched listings whose id the directory did not accept. */
export const SHOWN = [...SHOWN_OUTCOMES, "unwritten"] as const;

/** What the list of results shows: the parameters of its page. */
export const listFields = z.object({
  show: z.enum(SHOWN, { error: () => t("“show” must be one of {names}", { names: SHOWN.join(", ") }) }).optional(),
  // PostgreSQL does not store the character 0.
  q: z
    .string()
    .max(100, { error: () => t("Search for at most {most} characters", { most: 100 }) })
    .transform((typed) => typed.replaceAll("\0", ""))
    .optional(),
  after: number("after"),
  before: number("before"),
  ...facetFields,
});
export type List = z.output<typeof listFields>;

export const outcomeOf = (show: List["show"]): Outcome | undefined => (show === "unwritten" ? "matched" : show);

/** Returns the address of a list; without a page of it if it has moved on. */
export function listHref(id: string, { show, q, after, before, ...asked }: List): string {
  const page = { after: after?.toString(), before: before?.toString() };
  return hrefOf(id, { show, q, ...facetsIn(asked), ...page });
}

export function hrefOf(id: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return `/harmonizations/${id}${given.length > 0 ? `?${new URLSearchParams(given)}` : ""}`;
}
