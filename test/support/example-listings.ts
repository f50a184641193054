import { readFileSync } from "node:fs";

/** The file of examples/, as OpenRefine gets it. */
export const LISTINGS = readFileSync("examples/listings.csv");

/** Columns of it that are sent along, and the properties of the reconciliation service that they are. */
export const PROPERTIES = {
  ...{ Latitude: "lat", Longitude: "lng", Street: "address", City: "city", State: "state", ZIP: "zip" },
  Phone: "phone",
};
