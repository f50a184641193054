import type { ListedListing } from "../../../harmonize/results/listings.ts";
import { textField } from "../../../http/pages/forms.ts";

/** Returns the value of a row's checkbox, `number.time`: its number in the file, and `changed_at` in milliseconds (base 36) or 0. */
export const rowValue = ({ number, changed_at }: Pick<ListedListing, "number" | "changed_at">): string =>
  `${number}.${changed_at?.getTime().toString(36) ?? 0}`;

/** The values of all rows of a page, in one: `time:number,number`, separated by spaces. */
export function pageValue(rows: readonly Pick<ListedListing, "number" | "changed_at">[]): string {
  const times = Map.groupBy(rows, (row) => rowValue(row).split(".")[1]);
  return [...times].map(([time, of]) => `${time}:${of.map(({ number }) => number)}`).join(" ");
}

const valuesOf = (page: string): string[] =>
  page.split(" ").flatMap((group) => {
    const [time, numbers = ""] = group.split(":");
    return numbers.split(",").map((number) => `${number}.${time}`);
  });

const ROW = /^([1-9]\d{0,8})\.([0-9a-z]{1,9})$/;

const MOST_ROWS = 1000;

/** Reads the rows of a form: the checked ones (`row`), or with `which=page` all of its page (`page`). */
export function chosenRows(body: unknown): { number: number; changedAt: Date | null }[] {
  const sent =
    textField(body, "which") === "page"
      ? valuesOf(textField(body, "page"))
      : [(body as { row?: string | string[] } | undefined)?.row ?? []].flat();
  return sent.slice(0, MOST_ROWS).flatMap((row) => readRow(row) ?? []);
}

function readRow(value: string): { number: number; changedAt: Date | null } | undefined {
  const [, number, time] = ROW.exec(value) ?? [];
  return number
    ? { number: Number(number), changedAt: time === "0" ? null : new Date(Number.parseInt(time ?? "", 36)) }
    : undefined;
}
