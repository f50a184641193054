import type { z } from "zod";

/** Marks a field, a parameter or a whole answer that is ours and not the interface's: optional for a client. */
export const ours = <S extends z.ZodType>(schema: S): S => schema.meta({ "x-ours": true });
