import { z } from "zod";
import type { DirectoryClientOptions } from "./calls/call-directory.ts";
import { callJson } from "./calls/call-json.ts";
import { DirectoryError } from "./calls/errors.ts";
import { measured } from "./calls/outbound.ts";

const replica = z.object({ name: z.string(), lagSeconds: z.number().nullable(), isAsked: z.boolean() });
export type Replica = z.output<typeof replica>;

const readiness = z.object({ replicas: z.array(replica) });

/** Asks `/readyz` of the API host, which is ours (docs/scaling.md). Returns none if it does not list any. */
export async function askReplicas({ baseUrl, ...line }: DirectoryClientOptions): Promise<Replica[]> {
  const url = new URL("/readyz", baseUrl);
  const answer = await measured("api", () => callJson(line, url, { maxBytes: 65_536 })).catch((error) => {
    if (error instanceof DirectoryError) return undefined; // also from a directory that is not ready, which is no news of a replica
    throw error;
  });
  return readiness.safeParse(answer?.body).data?.replicas ?? [];
}
