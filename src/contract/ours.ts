import type { z } from "zod";

/** Marks a field, a parameter or a whole answer that is ours and not the interface's: optional for a client. */
export const ours = <S extends z.ZodType>(schema: S): S => schema.meta({ "x-ours": true });

/**
 * Marks an optional field that our own directory always sends (wire-format 1, 6, 9, 10). The schemas demand less than the
 * documentation promises, because they also read the answers of other directories.
 */
export const promised = <S extends z.ZodType>(schema: S): S => schema.meta({ "x-promised": true });
