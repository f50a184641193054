/** One way to break the code on purpose, and the check that must notice. */
export interface Breakage {
  /** The attack (docs/attacks.md) that the break opens the door to, or a word for what is no attack. */
  id: string;
  /** What no longer holds, in words. */
  breaks: string;
  file: string;
  /** Stands in the file exactly once … */
  find: string;
  /** … and becomes this. */
  replace: string;
  /** The test file whose tests named `id: …` must fail then; or the type check. */
  test: string;
}

/** `npm run types`, in the place of a test file. */
export const TYPES = "types";
