import { z } from "zod";
import { t } from "../language/translate.ts";
import { type Answer, callJson, type Line } from "./calls/call-json.ts";
import { DirectoryError } from "./calls/errors.ts";
import { measured } from "./calls/outbound.ts";
import { basicAuthorization, type ClientCredentials } from "./calls/retry-after.ts";

export interface SecretAtDirectory {
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  current: boolean;
  /** This call was made with it. */
  usedNow: boolean;
}

/** Our `client_secret_endpoint`. `rejected` means 403, the owner does not allow it, or 409, an outdated secret. */
export interface OwnSecrets {
  list(client: ClientCredentials): Promise<SecretAtDirectory[]>;
  /** Makes a new secret. All others end, `client`'s after the overlap. Safe to repeat after `unreachable`. */
  rotate(client: ClientCredentials, overlapSeconds: number): Promise<Rotated>;
  /** `client` must have the current secret. */
  endOthers(client: ClientCredentials): Promise<void>;
}

interface Rotated {
  clientSecret: string;
  overlapSeconds: number;
}

export function createOwnSecrets(line: Line, url: URL): OwnSecrets {
  const call = async <A extends { client_id: string }>(
    schema: z.ZodType<A>,
    client: ClientCredentials,
    options: { method: "GET" | "POST" | "DELETE"; form?: Record<string, string> },
  ): Promise<A> => {
    const headers = { authorization: basicAuthorization(client) };
    const answer = await measured("auth", async () => {
      const any = await callJson(line, url, { ...options, headers, maxBytes: 65_536 });
      if (any.status !== 200) throw objection(any);
      return any;
    });
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
      ? t(
          "The directory does not allow Samespot to change its own secret. Ask the owner of the application to allow it there.",
        )
      : t(
          "The directory has a newer secret than the one in use. Get that one, or create another there, and paste it here.",
        );
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
