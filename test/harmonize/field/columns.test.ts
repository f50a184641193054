import { expect, test } from "vitest";
import { startField } from "./field.ts";

const { harmonize } = await startField();

const FOUR = ["fv-r1", "fv-r2", "fv-r3", "fv-r4"];

test.each<[file: string, rows: string[], columns: Record<string, string | undefined>]>([
  ["c01-places.geojson", FOUR, { name: "names.primary", id: "id" }],
  [
    "c03-locations.csv",
    FOUR,
    {
      id: "Store code",
      name: "Business name",
      address: "Address line 1",
      city: "Locality",
      state: "Administrative area",
      zip: "Postal code",
      country: "Country / Region",
      phone: "Primary phone",
      url: "Website",
      category: "Primary category",
    },
  ],
  [
    "c07-search.json",
    FOUR,
    {
      id: "id",
      name: "name",
      lat: "location.lat",
      lng: "location.lng",
      address: "location.address",
      city: "location.city",
      zip: "location.postalCode",
    },
  ],
  ["c10-poi.csv", FOUR, { ll: "geo_point_2d", name: "nom", address: "adresse", city: "commune" }],
  ["c14-list.csv", ["fv-o1", "fv-o2"], { address: "housenumber + street" }],
  ["c19-list.csv", FOUR, { lat: "shop_lat", lng: "shop_lng", phone: undefined }],
  ["p12-overpass.json", FOUR, { lat: "lat + center.lat", lng: "lon + center.lon", phone: undefined }],
  ["p14-list.csv", FOUR, { lat: "lat + ns", lng: "lon + ew" }],
])("%s is matched with the columns as guessed", async (file, rows, columns) => {
  const found = await harmonize(file);
  expect(found.rows).toEqual(rows);
  for (const [field, name] of Object.entries(columns)) expect([field, found.columns[field]]).toEqual([field, name]);
});
