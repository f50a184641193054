import { checkins } from "./es/checkins.ts";
import { frame } from "./es/frame.ts";
import { mappings } from "./es/mappings.ts";
import { people } from "./es/people.ts";
import { secrets } from "./es/secrets.ts";
import { status } from "./es/status.ts";
import type { Catalogue } from "./languages.ts";

/** Spanish, of a file for each area of pages. */
export const es: Catalogue = { ...frame, ...checkins, ...mappings, ...people, ...secrets, ...status };
