import { z } from "zod";

const words = z.string();
const count = z.number().int().nonnegative();
const ll = z.object({ lat: z.number(), lng: z.number() });

/** Where a problem is: the name of the column, and what the row says there. */
export const cell = { column: words.optional(), value: words.optional() };

/** Why a row of a file cannot be read, or is no place. */
export const ROW_PROBLEMS = {
  unreadable_line: z.object({ line: count, why: z.enum(["open", "trailing", "long", "many", "json"]) }),
  too_many_cells: z.object({ cells: count, columns: count, value: words }),
  undecodable: z.object({ column: words, value: words }),
  no_name: z.object(cell),
  bad_name: z.object({ ...cell, rule: z.enum(["storable", "lost", "length", "letters"]) }),
  no_position: z.object(cell),
  /** `swapped`: the degrees as written, if they are valid in the other order. */
  position_out_of_range: z.object({ ...cell, swapped: ll.optional() }),
  /** The longitude is the latitude. */
  one_coordinate: z.object({ ...cell, ll }),
  no_place: z.object(cell),
};

export type Coded<Table extends Record<string, z.ZodType>, Code extends keyof Table> = Code extends keyof Table
  ? { code: Code } & z.output<Table[Code]>
  : never;

export type RowProblem = Coded<typeof ROW_PROBLEMS, keyof typeof ROW_PROBLEMS>;
