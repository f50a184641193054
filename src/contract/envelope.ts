import { z } from "zod";
import { promised } from "./ours.ts";

export const ERROR_TYPES: ReadonlySet<string> = new Set([
  "invalid_auth",
  "param_error",
  "endpoint_error",
  "not_authorized",
  "rate_limit_exceeded",
  "quota_exceeded",
  "failed_geocode",
  "geocode_too_big",
  "server_error",
  "other",
]);

/** The body of every response of the API host. `meta.errorType` and `meta.errorDetail` are set on errors. */
export const envelope = z.object({
  meta: z.looseObject({
    code: z.number().int().meta({ description: "The HTTP status." }),
    requestId: promised(z.string().optional()).meta({ description: "24 hexadecimal digits." }),
    // No enum: another directory may have more.
    errorType: z
      .string()
      .optional()
      .meta({ enum: [...ERROR_TYPES] }),
    errorDetail: z.string().optional().meta({ description: "For the developer." }),
    errorMessage: z.string().optional().meta({ description: "For the end user." }),
  }),
  notifications: z
    .array(z.looseObject({ type: z.string(), item: z.looseObject({ unreadCount: z.number().optional() }).optional() }))
    .optional(),
  response: z.record(z.string(), z.unknown()),
});
export type Envelope = z.infer<typeof envelope>;

/** Ours: `response` of a 403 not_authorized for an application that may not make calls of this kind. */
export const notEnabledResponse = z.looseObject({
  application: z.looseObject({ access: z.enum(["stopped", "reading"]) }),
});
