import type { Catalogue } from "../languages.ts";
import { frame } from "./frame.ts";

/** Spanish, of a file for each area of pages. */
export const es: Catalogue = { ...frame };
