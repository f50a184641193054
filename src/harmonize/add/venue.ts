import { type AddVenueParameters, addVenueParameters } from "../../contract/parameters.ts";
import type { Field } from "../../files/columns.ts";
import { columnInWords, visibleIn } from "../../files/row/row.ts";
import { textOf, withScheme } from "../query/corrected.ts";
import type { HowRead } from "../query/repaired-row.ts";
import type { AddWish } from "../run/long-task.ts";
import type { Problem } from "../run/problems/problems.ts";
import type { Query } from "../run/rows.ts";
import type { Guessable, GuessCategory } from "./category.ts";

export interface Cells {
  cells: string[];
  query: Query | null;
}

type Attributes = { [name in keyof AddVenueParameters]?: NonNullable<AddVenueParameters[name]> };

const { ll: _ll, primaryCategoryId: _category, ...TEXTS } = addVenueParameters.shape;
type Text = keyof typeof TEXTS;

/** Returns the listing's attributes that venues/add accepts (interface, venues/add). */
export function attributesOf(h: HowRead, listing: Cells): Attributes {
  const { query } = listing;
  const cell = (field: Field) => visibleIn(textOf(listing, h, field));
  const { name, address, city, state, zip, phone, twitter } = query ?? {
    name: cell("name"),
    address: cell("address"),
    city: cell("city"),
    state: cell("state"),
    zip: cell("zip"),
    phone: cell("phone"),
    twitter: cell("twitter"),
  };
  const url = withScheme(cell("url") ?? "");
  const description = clip(cell("description"));
  const said = { name, address, city, state, zip, phone, twitter, url, description };
  const usable = Object.entries(said).flatMap(([field, value]) => {
    const text = value ? TEXTS[field as Text].safeParse(value).data : undefined;
    return text ? [[field, text] as const] : [];
  });
  return { ...Object.fromEntries(usable), ...(query?.ll && { ll: query.ll }) };
}

const clip = (text: string | undefined) => text && [...text.trim()].slice(0, 300).join("");

/** `usual`: for listings without a guess. */
interface Categories {
  guess: GuessCategory;
  usual: string | undefined;
}

export function venueToAdd(
  h: HowRead,
  listing: Cells & Pick<Guessable, "chosen" | "candidates">,
  { guess, usual }: Categories,
  { byAddress }: Partial<AddWish> = {},
): { venue: AddVenueParameters } | { problem: Problem } {
  const { name, ll: own, ...rest } = attributesOf(h, listing);
  const place = own ? { ll: own } : byAddress ? placeByAddress(listing) : undefined;
  const said = categorySaid(h, listing);
  const primaryCategoryId = guess({ ...listing, said, name: name ?? "" })?.id ?? usual;
  if (name === undefined && listing.query?.name.includes("\ufffd"))
    return { problem: { code: "bad_name", rule: "lost" } };
  if (name === undefined) return { problem: { code: "unusable_name" } };
  if (!place) return { problem: { code: "unplaced" } };
  if (primaryCategoryId !== undefined) return { venue: { ...rest, name, ...place, primaryCategoryId } };
  const column = columnInWords(h.header, h.columns, "category");
  return { problem: { code: "no_category", ...(column && { column }), ...(said && { value: said }) } };
}

function placeByAddress({ query }: Cells): Pick<AddVenueParameters, "ll" | "positionByAddress"> | undefined {
  if (!query?.byAddress) return undefined;
  const { lat, lng } = query.byAddress;
  return { ll: { lat, lng }, positionByAddress: "true" };
}

export const categorySaid = (h: HowRead, listing: Cells): string => textOf(listing, h, "category").trim();
