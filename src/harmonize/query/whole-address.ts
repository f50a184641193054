import type { Field } from "../run/rows.ts";

type Part = "name" | "address" | "city" | "state" | "zip" | "country" | "lat" | "lng";

/** Takes the text of a cell apart that holds a whole address. */
export const wholeAddressOf = (text: string): Partial<Record<Part & Field, string>> => ({ address: text });
