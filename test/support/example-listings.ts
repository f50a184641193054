import { readFileSync } from "node:fs";

export const LISTINGS = readFileSync("examples/listings.csv");

/** Columns to send, with their properties of the reconciliation service. */
export const PROPERTIES = {
  ...{ Latitude: "lat", Longitude: "lng", Street: "address", City: "city", State: "state", ZIP: "zip" },
  Phone: "phone",
};
