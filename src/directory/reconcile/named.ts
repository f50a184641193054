import type { Pool } from "pg";
import { KnownError } from "../../shared/errors.ts";
import type { Place } from "../places/place.ts";
import { resolvePlace } from "../places/resolve.ts";
import type { Wanted } from "./wanted.ts";

/** The narrowest place that the words of a query name. One that is not what its column says it is does not count. */
export async function placeMeant(
  pool: Pool,
  { zip, city, state, country }: Wanted["place"],
): Promise<Place | undefined> {
  const around = [state, country];
  const columns: [Place["kind"], (string | undefined)[]][] = [
    ["zip", zip ? [zip, ...around] : []],
    ["city", city ? [city, ...around] : []],
    ["state", state ? around : []],
    ["country", [country]],
  ];
  for (const [kind, parts] of columns) {
    const text = parts.filter(Boolean).join(", ");
    const place = text ? await placeCalled(pool, text) : undefined;
    if (place?.kind === kind) return place;
  }
  return undefined;
}

async function placeCalled(pool: Pool, text: string): Promise<Place | undefined> {
  try {
    return (await resolvePlace(pool, text)).place;
  } catch (error) {
    if (error instanceof KnownError && error.code === "failed_geocode") return undefined;
    throw error;
  }
}
