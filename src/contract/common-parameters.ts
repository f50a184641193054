import { z } from "zod";
import { ours } from "./ours.ts";

/** `callback`: the function that a JSONP answer calls (wire-format 1). */
export const callback = z
  .string()
  .regex(/^[A-Za-z_$][\w$.]{0,99}$/)
  .meta({ description: "JSONP: the answer comes as `NAME(…);` with status 200 unless the fault is ours." });

/** The header Idempotency-Key. */
export const idempotencyKey = ours(z.string().regex(/^[\x21-\x7e]{1,255}$/)).meta({
  description: "The same key and parameters give the same answer, with other parameters 409.",
});
