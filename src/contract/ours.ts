import type { z } from "zod";

/** Marks a field, parameter or response that the interface does not have. Clients may ignore it. */
export const ours = <S extends z.ZodType>(schema: S): S => schema.meta({ "x-ours": true });

/** Marks a parameter of items with commas between them, which may also be given several times. */
export const list = <S extends z.ZodType>(schema: S): S => schema.meta({ "x-list": true });

/** Marks a field that our directory always sends (wire-format 1, 6, 9, 10) but other directories may omit. */
export const promised = <S extends z.ZodType>(schema: S): S => schema.meta({ "x-promised": true });
