/** What a check has found, for `samespot doctor` and /admin/status. */
export interface Finding {
  name: string;
  state: "ok" | "warning" | "problem";
  words: string;
  /** What to do, unless it is ok. */
  todo?: string;
}

export const ok = (name: string, words: string): Finding => ({ name, state: "ok", words });
export const warning = (name: string, words: string, todo: string): Finding => ({
  name,
  state: "warning",
  words,
  todo,
});
export const problem = (name: string, words: string, todo: string): Finding => ({
  name,
  state: "problem",
  words,
  todo,
});

/** A check that fails is a finding. Only the code of an unforeseen error is shown: a message may contain an address. */
export async function checked(name: string, look: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await look()].flat();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${error.code})` : "";
    return [
      problem(name, `It could not be checked${code}.`, "See the findings above, then run samespot doctor again."),
    ];
  }
}
