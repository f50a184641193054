import type { ListedListing } from "../../../harmonize/results/listings.ts";
import { textField } from "../../../http/pages/forms.ts";

/** Returns the value of a row's checkbox, `number.time`: its number in the file, and `changed_at` in milliseconds or 0. */
export const rowValue = ({ number, changed_at }: Pick<ListedListing, "number" | "changed_at">): string =>
  `${number}.${changed_at?.getTime() ?? 0}`;

const ROW = /^([1-9]\d{0,8})\.(\d{1,15})$/;

const MOST_ROWS = 1000;

/** Reads the rows of a form: the checked ones (`row`), or with `which=page` all of its page (`page`). */
export function chosenRows(body: unknown): { number: number; changedAt: Date | null }[] {
  const sent =
    textField(body, "which") === "page"
      ? textField(body, "page").split(" ")
      : [(body as { row?: string | string[] } | undefined)?.row ?? []].flat();
  return sent.slice(0, MOST_ROWS).flatMap((row) => readRow(row) ?? []);
}

function readRow(value: string): { number: number; changedAt: Date | null } | undefined {
  const [, number, time] = ROW.exec(value) ?? [];
  return number ? { number: Number(number), changedAt: time === "0" ? null : new Date(Number(time)) } : undefined;
}
