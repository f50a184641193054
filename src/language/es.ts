import { checkins } from "./es/checkins.ts";
import { frame } from "./es/frame.ts";
import type { Catalogue } from "./languages.ts";

/** Spanish, of a file for each area of pages. */
export const es: Catalogue = { ...frame, ...checkins };
