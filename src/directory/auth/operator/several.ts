import type { Notice } from "../../../http/pages/parts.ts";
import type { Done } from "../../duplicates/decide.ts";

/** Returns the values of the boxes with this name that are checked. */
export function textsIn(body: unknown, name: string, most: number): string[] {
  const value = (body as Record<string, unknown> | undefined)?.[name];
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string").slice(0, most);
}

/** @param what was done, as a participle; `of`: number of those that were tried */
export function noticeOf(
  { done, problems }: Done,
  { noun, what, of }: { noun: string; what: string; of: number },
): Notice {
  const message = `${counted(done, noun)} ${what}.`;
  if (problems.length === 0) return { kind: "success", message };
  return {
    kind: "warning",
    heading: done === 0 ? "Nothing was changed." : `${message} ${problems.length} of ${of} failed.`,
    message: listed(problems),
  };
}

export const counted = (count: number, noun: string) =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

const SHOWN_PROBLEMS = 5;

export const listed = (problems: readonly string[]): string => {
  const more = problems.length - SHOWN_PROBLEMS;
  return [...problems.slice(0, SHOWN_PROBLEMS), ...(more > 0 ? [`And ${more} more.`] : [])].join(" ");
};
