import { z } from "zod";
import { ours } from "./ours.ts";

/** `callback`: the function that a JSONP response calls (wire-format 1). */
export const callback = z
  .string()
  .regex(/^[A-Za-z_$][\w$.]{0,99}$/)
  .meta({
    description: "JSONP: the response is `NAME(…);` as text/javascript, with status 200 except on a server error.",
  });

export const idempotencyKey = ours(z.string().regex(/^[\x21-\x7e]{1,255}$/)).meta({
  description: "Repeating the key returns the same response; with different parameters it returns 409.",
});
