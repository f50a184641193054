/** An error answer of the API host: when it comes, with its `errorType`s (wire-format 3). */
export interface ErrorAnswer {
  status: number;
  description: string;
  /** The `errorDetail` of one whose `errorType` is the first that the description tells. */
  detail: string;
  /** Whether it says how long to wait. */
  waits?: boolean;
}

const BAD_REQUEST =
  "`param_error`: a parameter is missing, malformed or given twice. `invalid_auth`: no usable credentials.";

/** By the names that the document gives them. */
export const ERRORS = {
  BadRequest: {
    status: 400,
    detail: "v must be a date in the format YYYYMMDD.",
    description: BAD_REQUEST,
  },
  BadSearch: {
    status: 400,
    detail: "send ll or near; or intent=browse with sw and ne; or intent=global with query.",
    description: `${BAD_REQUEST} \`failed_geocode\`: \`near\` is unknown. \`geocode_too_big\`: the region to browse is too large.`,
  },
  BadQuery: {
    status: 400,
    detail: "queries is not JSON: check its quotes, commas and brackets.",
    description: "`param_error`: what is asked is malformed or given twice.",
  },
  WrongToken: {
    status: 401,
    detail: "The oauth_token is invalid or was revoked.",
    description: "`invalid_auth`: the `oauth_token` is invalid or was revoked.",
  },
  WrongCredentials: {
    status: 401,
    detail: "The oauth_token is invalid or was revoked. Or send no credentials: this service is open.",
    description: "`invalid_auth`: there are credentials, and they are no good.",
  },
  Forbidden: {
    status: 403,
    detail: "This providerId is not reserved for the application.",
    description:
      "`not_authorized`: the caller may not do or see this, or its application is not enabled for it. " +
      "`rate_limit_exceeded`: the calls of the hour are used up.",
    waits: true,
  },
  Conflict: {
    status: 409,
    detail: "Found duplicates.",
    description: "`other`: it is there already, or an Idempotency-Key came with another call.",
  },
  VersionMissing: {
    status: 410,
    detail: "v is required: an API version date, YYYYMMDD.",
    description: "`param_error`: `v` is missing.",
  },
  TooLarge: {
    status: 413,
    detail: "A form may have 100 fields and 64 KB in all.",
    description: "`other`: the body has more than 64 KB or 100 fields.",
  },
  TooManyListings: {
    status: 413,
    detail: "A call may have 1024 KB here: send less at once.",
    description: "`other`: the body has more than 1 MB.",
  },
  TooManyQueries: {
    status: 413,
    detail: "A call may have 50 queries: send the rest in another.",
    description: "`param_error`: a call may have 50 queries and a body of 1 MB.",
  },
  OtherContent: {
    status: 415,
    detail: "Send the body as it is, without Content-Encoding.",
    description: "`other`: the body is compressed.",
  },
  TooMany: {
    status: 429,
    detail: "Too many calls from your network were refused. Try again in 5 minutes.",
    description:
      "`rate_limit_exceeded`: too many refused calls from this network, or its queries of the hour are used up " +
      "(reconciliation).",
    waits: true,
  },
  ServerError: {
    status: 500,
    detail: "Something went wrong on our side. Please try again.",
    description: "`server_error`: our fault. Quote `meta.requestId`.",
  },
  Unavailable: {
    status: 503,
    detail: "The database does not answer.",
    description: "`server_error`: the database does not answer. Try again.",
    waits: true,
  },
} satisfies Record<string, ErrorAnswer>;

export type ErrorName = keyof typeof ERRORS;
