import { z } from "zod";

/**
 * The body of every answer of the API host: `{meta, notifications?, response}`.
 * `meta.code` repeats the HTTP status; on errors `meta.errorType` and `meta.errorDetail` say what was wrong.
 */
export const envelope = z.object({
  meta: z.looseObject({
    code: z.number().int(),
    requestId: z.string().optional(),
    errorType: z.string().optional(),
    /** For the developer. */
    errorDetail: z.string().optional(),
    /** For the end user. */
    errorMessage: z.string().optional(),
  }),
  notifications: z.array(z.looseObject({ type: z.string() })).optional(),
  response: z.record(z.string(), z.unknown()),
});
export type Envelope = z.infer<typeof envelope>;

/** The `errorType`s of the API host, with the HTTP status each goes with. */
export const ERROR_STATUS = {
  invalid_auth: 401,
  param_error: 400,
  endpoint_error: 404,
  not_authorized: 403,
  rate_limit_exceeded: 403,
  quota_exceeded: 429,
  failed_geocode: 400,
  geocode_too_big: 400,
  server_error: 500,
  other: 400,
} as const;
