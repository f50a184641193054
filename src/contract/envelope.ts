import { z } from "zod";
import { promised } from "./ours.ts";

/** The `errorType`s of the API host. */
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

/**
 * The body of every answer of the API host: `{meta, notifications?, response}`.
 * `meta.code` repeats the HTTP status; on errors `meta.errorType` and `meta.errorDetail` say what was wrong.
 */
export const envelope = z.object({
  meta: z.looseObject({
    code: z.number().int().meta({ description: "The HTTP status." }),
    requestId: promised(z.string().optional()).meta({ description: "24 hexadecimal digits." }),
    // Another directory may have more of them.
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

/** Ours: `response` of a 403 not_authorized because the application is not enabled: all its calls of this kind are refused. */
export const notEnabledResponse = z.looseObject({
  application: z.looseObject({ access: z.enum(["stopped", "reading"]) }),
});
