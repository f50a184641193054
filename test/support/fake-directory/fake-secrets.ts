import { randomBytes } from "node:crypto";
import { type Answer, json } from "./behaviours.ts";
import type { ReceivedRequest } from "./fake-directory.ts";

interface Secret {
  secret: string;
  createdAt: Date;
  /** Null for the current secret. */
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

/** `secret` is the first one; `live` are the valid ones. */
export interface FakeClient {
  id: string;
  secret: string;
  live: Secret[];
}

const fresh = (): Secret => ({
  secret: randomBytes(24).toString("hex"),
  createdAt: new Date(),
  expiresAt: null,
  lastUsedAt: null,
});

export function fakeClient(): FakeClient {
  const first = fresh();
  return { id: "fake-client", secret: first.secret, live: [first] };
}

/** Adds another valid secret, like the application's owner. */
export function addSecret(client: FakeClient): string {
  const added = fresh();
  client.live.unshift(added);
  return added.secret;
}

export function resetSecrets(client: FakeClient): void {
  client.live = [{ ...fresh(), secret: client.secret }];
}

/** Returns the live secret of these credentials, and records its use. */
export function takes(client: FakeClient, id: string | undefined, secret: string | undefined): Secret | undefined {
  const found = client.live.find((each) => each.secret === secret && (each.expiresAt ?? FAR) > new Date());
  if (id !== client.id || !found) return undefined;
  found.lastUsedAt = new Date();
  return found;
}

const FAR = new Date("9999-01-01");

/** `/oauth2/client_secret` as in our own directory: GET lists, POST rotates, DELETE ends the others. */
export function secretEndpoint({ method, params, headers }: ReceivedRequest, client: FakeClient): Answer {
  const [id = "", secret = ""] = Buffer.from(headers.authorization?.slice(6) ?? "", "base64")
    .toString()
    .split(":");
  const used = takes(client, id, secret);
  if (!used) return json(401, { error: "invalid_client" });
  if (method === "POST") {
    const rotated = fresh();
    if (used.expiresAt && client.live[0]?.lastUsedAt) return json(409, { error: "invalid_request" });
    const until = rotated.createdAt.getTime() + Number(params.overlap) * 1000;
    used.expiresAt = new Date(Math.min(used.expiresAt?.getTime() ?? until, until));
    client.live = [rotated, used];
    return json(200, {
      ...{ client_id: id, client_secret: rotated.secret },
      ...{ created_at: rotated.createdAt, previous_expires_at: used.expiresAt },
    });
  }
  if (method === "DELETE") {
    if (used.expiresAt) return json(409, { error: "invalid_request" });
    client.live = [used];
    return json(200, { client_id: id, ended: 1 });
  }
  const secrets = client.live.map((each) => ({
    created_at: each.createdAt,
    expires_at: each.expiresAt,
    last_used_at: each.lastUsedAt,
    current: each.expiresAt === null,
    used_now: each === used,
  }));
  return json(200, { client_id: id, secrets });
}
