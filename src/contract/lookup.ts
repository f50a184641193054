import { z } from "zod";
import { venueId } from "./parameters.ts";

export const LOOKUP_PATH = "/v2/venues/lookup";

/** The most lines of one call of venues/lookup. */
export const MOST_LOOKUP_LINES = 5000;

/** Parameters of POST {base_url}/v2/venues/lookup (ours), and a line of its NDJSON. */
export const lookupParameters = z.object({ venueId });
