import type { OtherName } from "../../matching/prepare.ts";
import type { Columns } from "../../shared/parquet/parquet.ts";
import { kindOfVariant } from "./other-name-columns.ts";
import { numberAt, type Place, type Release, textAt, textsAt } from "./release.ts";

/** Where licences stand. Others by their SPDX identifier. */
const LICENCES: Record<string, string> = {
  "CDLA-Permissive-2.0": "https://cdla.dev/permissive-2-0/",
  "Apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0",
  "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
  "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/",
  "ODbL-1.0": "https://opendatacommons.org/licenses/odbl/1-0/",
};
const USUAL = "CDLA-Permissive-2.0";

/** What https://docs.overturemaps.org/attribution asks for, by dataset: words, and the licence of rows that name none. */
const DATASETS: Record<string, { words?: string; licence?: string }> = {
  meta: { words: "Meta" },
  Foursquare: {
    words: "Foursquare (© Foursquare Labs, Inc., transformed to the Overture schema)",
    licence: "Apache-2.0",
  },
  AllThePlaces: { licence: "CC0-1.0" },
};

/** The places theme, with `categories` (until September 2026) or `taxonomy` (since December 2025). */
export const OVERTURE: Release = {
  id: "overture",
  name: "Overture Places",
  hallmarks: ["id", "names", "geometry", "sources", "confidence"],
  columns: [
    "id",
    "geometry",
    "names.primary",
    "confidence",
    "operating_status",
    "websites",
    "phones[]",
    "names.common.key_value.key[]",
    "names.common.key_value.value[]",
    "names.rules.variant[]",
    "names.rules.value[]",
    "brand.names.primary",
    "brand.names.common.key_value.value[]",
    "taxonomy.primary",
    "taxonomy.hierarchy[]",
    "taxonomy.alternates[]",
    "basic_category",
    "categories.primary",
    "categories.alternate[]",
    "sources.dataset",
    "sources.license",
    "addresses.freeform",
    "addresses.locality",
    "addresses.region",
    "addresses.postcode",
    "addresses.country",
  ],
  box: { west: "bbox.xmin", south: "bbox.ymin", east: "bbox.xmax", north: "bbox.ymax" },
  country: "addresses.country",
  hasConfidence: true,
  place(columns, at): Place {
    const text = (name: string) => textAt(columns, name, at);
    const [lng, lat] = pointIn(columns.geometry?.[at]);
    const country = text("addresses.country");
    return {
      id: text("id"),
      lat,
      lng,
      country,
      confidence: numberAt(columns, "confidence", at),
      gone: text("operating_status") === "permanently_closed" ? "closed" : undefined,
      dataset: text("sources.dataset") ?? "",
      licence: text("sources.license"),
      fields: {
        name: text("names.primary"),
        otherNames: otherNamesAt(columns, at),
        operatingStatus: text("operating_status"),
        address: text("addresses.freeform"),
        city: text("addresses.locality"),
        state: text("addresses.region")?.replace(/^[A-Z]{2}-/, ""),
        zip: text("addresses.postcode"),
        country,
        phone: textsAt(columns, "phones[]", at).slice(0, MOST_PHONES).join("; "),
        url: text("websites"),
      },
      categories: [
        ...[text("taxonomy.primary"), text("categories.primary")].filter((each) => each !== undefined),
        ...textsAt(columns, "taxonomy.hierarchy[]", at).reverse(),
        ...[text("basic_category")].filter((each) => each !== undefined),
        ...textsAt(columns, "taxonomy.alternates[]", at),
        ...textsAt(columns, "categories.alternate[]", at),
      ],
    };
  },
  sourceOf(dataset, given) {
    const { words = dataset, licence = USUAL } = DATASETS[dataset] ?? {};
    const attribution = words === "" ? "Overture Maps Foundation" : `Data from ${words}, Overture Maps Foundation`;
    return { attribution, licence: given ?? licence, url: urlOf(given ?? licence) };
  },
};

/** Null for what is no identifier of SPDX. */
function urlOf(licence: string): string | null {
  const isIdentifier = /^[A-Za-z][A-Za-z0-9.+-]*-\d[\d.]*(?:-[A-Za-z0-9.-]+)?$/.test(licence);
  return LICENCES[licence] ?? (isIdentifier ? `https://spdx.org/licenses/${licence}.html` : null);
}

/** Numbers of a field (`phoneNumbersIn`); the first is shown. */
const MOST_PHONES = 2;

function otherNamesAt(columns: Columns<string>, at: number): OtherName[] {
  const texts = (name: string) => textsAt(columns, name, at);
  const languages = texts("names.common.key_value.key[]");
  const common = texts("names.common.key_value.value[]");
  const variants = texts("names.rules.variant[]");
  const rules = texts("names.rules.value[]");
  const brands = [textAt(columns, "brand.names.primary", at) ?? [], texts("brand.names.common.key_value.value[]")];
  return [
    ...pairs(languages, common, (language) => `common:${language}`),
    ...pairs(variants, rules, kindOfVariant),
    ...brands.flat().map((name) => ({ kind: "brand", name })),
  ];
}

/** Lists of which one lacks a value do not say which belong together. */
const pairs = (keys: string[], names: string[], kindOf: (key: string) => string): OtherName[] =>
  keys.length === names.length ? names.map((name, at) => ({ kind: kindOf(keys[at] ?? ""), name })) : [];

/** Reads a point in WKB (OGC 06-103r4, section 8). Its bounding box is rounded to about a metre. */
function pointIn(geometry: unknown): [lng: number, lat: number] | [undefined, undefined] {
  if (!(geometry instanceof Uint8Array) || geometry.byteLength < 21) return [undefined, undefined];
  const view = new DataView(geometry.buffer, geometry.byteOffset, geometry.byteLength);
  const isLittle = view.getUint8(0) === 1;
  const type = view.getUint32(1, isLittle);
  // EWKB flags an SRID of four bytes; Z and M come after x and y.
  const from = type & 0x20000000 ? 9 : 5;
  if ((type & 0x0fffffff) % 1000 !== 1 || geometry.byteLength < from + 16) return [undefined, undefined];
  return [view.getFloat64(from, isLittle), view.getFloat64(from + 8, isLittle)];
}
