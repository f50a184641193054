import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { t } from "../../language/translate.ts";
import { badRequest } from "../../shared/errors.ts";
import { storable } from "../../shared/storable.ts";
import { TEXT_FIELDS } from "./rows.ts";

export const MOST_REPAIRS = 50;
const LONGEST = 300;

/** What a row says that a repair may set; the id of a row is its own. */
export const REPAIRABLE = ["name", ...TEXT_FIELDS] as const;
export type Repairable = (typeof REPAIRABLE)[number];

const written = (name: string) =>
  z
    .string()
    .max(LONGEST, { error: () => t("{name} may have at most {max} characters", { name, max: LONGEST }) })
    .overwrite((value) => storable(value));
const needed = (name: string) => written(name).min(1, { error: () => t("{name} is missing", { name }) });

const column = needed("column").meta({ description: "Name of a column, as in the file." });
const field = z.enum(REPAIRABLE);
const where = z
  .strictObject({ column, is: written("is").trim() })
  .meta({ description: "Only rows that have this value in a column, in upper or lower case." });
const around = z
  .array(z.strictObject({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) }))
  .min(1)
  .max(100)
  .meta({ description: "Only rows that are 100 km or more away from all of these points, and once swapped are not." });

/** A repair of all rows of a list for which its condition holds. */
export const rowRepair = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({ kind: z.literal("swap"), where: where.optional(), around: around.optional() }).meta({
      description:
        "Swaps latitude and longitude. Without `where` and `around`: of the rows that look swapped now; `around` is then kept.",
    }),
    z.strictObject({ kind: z.literal("take"), field, column, always: z.boolean().default(false) }).meta({
      description: "Takes a field from another column: where it is empty, or `always`, if that column is filled.",
    }),
    z.strictObject({ kind: z.literal("set"), field, value: written("value"), where: where.optional() }).meta({
      description: "Sets a field to one value; an empty one takes it out.",
    }),
    z
      .strictObject({
        kind: z.literal("replace"),
        column,
        find: needed("find"),
        with: written("with"),
        whole: z.boolean().default(false).meta({ description: "Only cells that are this text, and nothing else." }),
        any_case: z.boolean().default(false).meta({ description: "In upper or lower case." }),
      })
      .meta({ description: "Finds a plain text in a column, and writes another in its place." }),
  ],
  { error: () => t("“kind” must be swap, take, set or replace") },
);
export type RowRepair = z.output<typeof rowRepair>;

/** A repair as its file keeps it; `by`: an account, null on the command line. */
export interface KeptRepair {
  id: string;
  by: string | null;
  /** ISO 8601. */
  at: string;
  repair: RowRepair;
  undone?: { by: string | null; at: string };
  /** It is being applied to the rows, or taken from them. */
  isUnderWay?: true;
}

/** Those that count, in order. */
export const effective = (kept: readonly KeptRepair[]): KeptRepair[] => kept.filter(({ undone }) => !undone);

/** Whether all of these count already. */
export const hasRepairs = (
  kept: readonly Pick<KeptRepair, "repair" | "undone">[],
  wanted: readonly RowRepair[] = [],
): boolean => wanted.every((each) => kept.some(({ repair, undone }) => !undone && isDeepStrictEqual(repair, each)));

/** Those of an edition as the next one begins with them, before its own; of one that both have, what the next one says of it. */
export function repairsForNext(before: readonly KeptRepair[], own: readonly KeptRepair[]): KeptRepair[] {
  const carried = effective(before).map(({ isUnderWay: _, ...kept }) => own.find(({ id }) => id === kept.id) ?? kept);
  return [...carried, ...own.filter(({ id }) => !carried.some((each) => each.id === id))].slice(0, MOST_REPAIRS);
}

/** Without the one that is under way, or with it, if that is being undone: as the rows were before. */
export const beforeChange = (kept: readonly KeptRepair[]): KeptRepair[] =>
  kept.flatMap(({ undone, ...each }) => (each.isUnderWay ? (undone ? [each] : []) : undone ? [] : [each]));

/** Columns of a repair that a file does not have: it changes nothing there. */
export function missingColumns(repair: RowRepair, header: readonly string[]): string[] {
  const named = [
    ...("column" in repair ? [repair.column] : []),
    ...("where" in repair && repair.where ? [repair.where.column] : []),
  ];
  return named.filter((name) => !header.includes(name));
}

/** Reads repairs as a page or the API gives them. Throws KnownError 400 that says what is wrong with which. */
export function parseRepairs(json: unknown): RowRepair[] {
  const parsed = z.array(rowRepair).max(MOST_REPAIRS).safeParse(json);
  if (parsed.success) return parsed.data;
  const [{ path = [], message = "" } = {}] = parsed.error.issues;
  throw badRequest([path.join("."), message].filter(Boolean).join(": "));
}
