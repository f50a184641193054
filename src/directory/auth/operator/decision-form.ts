import { textField } from "../../../http/pages/forms.ts";
import type { Notice } from "../../../http/pages/parts.ts";
import { t } from "../../../language/translate.ts";
import type { Done } from "../../duplicates/decide.ts";

/** The overview, where what waits is decided too. */
export const OPERATOR_PAGE = "/operator";

/** To the overview, if it was decided there, or to `href`. */
export const wayBack = (body: unknown, href: string): string =>
  textField(body, "from") === "overview" ? OPERATOR_PAGE : href;

/** Returns the values of the boxes with this name that are checked. */
export function textsIn(body: unknown, name: string, most: number): string[] {
  const value = (body as Record<string, unknown> | undefined)?.[name];
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string").slice(0, most);
}

/** @param message says what was done; `of`: number of those that were tried */
export function noticeOf({ done, problems }: Done, { message, of }: { message: string; of: number }): Notice {
  if (problems.length === 0) return { kind: "success", message };
  return {
    kind: "warning",
    heading:
      done === 0
        ? t("Nothing was changed.")
        : `${message} ${t("{failed, number} of {of, number} failed.", { failed: problems.length, of })}`,
    message: listed(problems),
  };
}

const SHOWN_PROBLEMS = 5;

export const listed = (problems: readonly string[]): string => {
  const more = problems.length - SHOWN_PROBLEMS;
  return [...problems.slice(0, SHOWN_PROBLEMS), ...(more > 0 ? [t("And {more, number} more.", { more })] : [])].join(
    " ",
  );
};
