import { z } from "zod";
import { basicAuthorization, type ClientCredentials } from "./basic.ts";
import { type Answer, callJson, type Line } from "./call-json.ts";
import { DirectoryError } from "./errors.ts";

/** A live secret of the application, as the directory tells it; times are by its clock. */
export interface SecretAtDirectory {
  createdAt: Date;
  /** When it stops working; null for the current one. */
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  /** The newest. */
  current: boolean;
  /** It is the one this was asked with. */
  usedNow: boolean;
}

/**
 * What an application can do about its own secrets where the directory lets it (ours, `client_secret_endpoint`). Each throws
 * DirectoryError: `refused_client`, `rejected` (403: its owner has not allowed it; 409: not with this secret),
 * `rate_limited`, `unreachable` or `invalid_answer`.
 */
export interface OwnSecrets {
  /** All live ones, the current one first. */
  list(client: ClientCredentials): Promise<SecretAtDirectory[]>;
  /**
   * Makes a new one. The secret of `client` works for `overlapSeconds` more, or less where its end was set before; every
   * other ends at once. After `unreachable`, when nobody knows whether it was done, the same call again is safe.
   */
  rotate(client: ClientCredentials, overlapSeconds: number): Promise<Rotated>;
  /** Ends every secret but the one of `client`, which must be the current one. */
  endOthers(client: ClientCredentials): Promise<void>;
}

interface Rotated {
  clientSecret: string;
  /** How long the one before works on, by the directory's word. */
  overlapSeconds: number;
}

export function createOwnSecrets(line: Line, url: URL): OwnSecrets {
  const call = async <A extends { client_id: string }>(
    schema: z.ZodType<A>,
    client: ClientCredentials,
    options: { method: "GET" | "POST" | "DELETE"; form?: Record<string, string> },
  ): Promise<A> => {
    const headers = { authorization: basicAuthorization(client) };
    const answer = await callJson(line, url, { ...options, headers, maxBytes: 65_536 });
    if (answer.status !== 200) throw objection(answer);
    const { data } = schema.safeParse(answer.body);
    if (data?.client_id !== client.clientId)
      throw new DirectoryError("invalid_answer", undefined, { reason: "not the answer of its secret endpoint" });
    return data;
  };
  return {
    list: async (client) => (await call(listed, client, { method: "GET" })).secrets.map(toSecret),
    async rotate(client, overlapSeconds) {
      const form = { overlap: String(overlapSeconds) };
      const made = await call(rotated, client, { method: "POST", form });
      const overlapMs = made.previous_expires_at.getTime() - made.created_at.getTime();
      return { clientSecret: made.client_secret, overlapSeconds: overlapMs / 1000 };
    },
    endOthers: async (client) => void (await call(ended, client, { method: "DELETE" })),
  };
}

const toSecret = (row: z.output<typeof secret>): SecretAtDirectory => ({
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  current: row.current,
  usedNow: row.used_now,
});

function objection({ status, body }: Answer): DirectoryError {
  const error = (body as { error?: unknown } | null)?.error;
  const reason = `status ${status} of its secret endpoint`;
  if (status === 401 || error === "invalid_client") return new DirectoryError("refused_client", undefined, { reason });
  const message =
    status === 403
      ? "The directory does not let Samespot change its own secret. The owner of the application can allow it there."
      : "The directory has a newer secret than the one in use. Get that one, or make another there, and paste it here.";
  return new DirectoryError("rejected", message, { reason });
}

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const secret = z.object({
  created_at: time,
  expires_at: time.nullable(),
  last_used_at: time.nullable(),
  current: z.boolean(),
  used_now: z.boolean(),
});
const listed = z.object({ client_id: z.string(), secrets: z.array(secret) });
const rotated = z.object({
  client_id: z.string(),
  client_secret: z.string().regex(/^[\x21-\x7e]{8,500}$/),
  created_at: time,
  previous_expires_at: time,
});
const ended = z.object({ client_id: z.string() });
