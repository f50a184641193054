/** A deliberate fault, and the check that must notice it. */
export interface Breakage {
  /** The attack (docs/attacks.md) that the fault allows, or another word. Names of the tests begin with it. */
  id: string;
  /** What the broken build does. */
  breaks: string;
  file: string;
  /** Occurs exactly once in the file. */
  find: string;
  replace: string;
  /** The test file whose tests named `id: …` must fail, or TYPES. */
  test: string;
}

/** `npm run types` instead of a test file. */
export const TYPES = "types";
