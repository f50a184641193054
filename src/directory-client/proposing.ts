import type { Values } from "../contract/correction-parameters.ts";
import type { Parameters } from "./call-directory.ts";

export interface Proposing {
  venueId: string;
  /** "" takes a value away. */
  wanted: Values;
  /** What the proposal is based on. */
  was: Values;
  /** "" if it is no report of a duplicate. */
  duplicateOf: string;
  comment: string;
}

/** Returns the parameters of venues/propose. Of `was` sends the former values of what is wanted. */
export function proposalParameters({ wanted, was, ...rest }: Proposing): Parameters {
  const names = Object.keys(wanted) as (keyof Values)[];
  const empty = names.filter((name) => wanted[name] === "").join(",");
  const former =
    names.length > 0 ? JSON.stringify(Object.fromEntries(names.map((name) => [name, was[name] ?? ""]))) : "";
  return { ...wanted, empty, was: former, ...rest };
}
