import type { Listing } from "../../src/matching/prepare.ts";

/** A place `metres` north of a fixed point. */
export const at = (name: string, metres = 0, more: Partial<Listing> = {}): Listing => ({
  name,
  lat: 41.82 + metres / 111_195,
  lng: -71.41,
  ...more,
});
