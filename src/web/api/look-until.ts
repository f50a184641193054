import { setTimeout as sleep } from "node:timers/promises";
import type { AnyCall } from "./endpoint.ts";

const LOOK_EVERY_MS = 500;

/** Looks until `isThere`, for so many seconds at most; ends early if the caller or this server goes. */
export async function lookUntil<T>(
  { request, reply }: Pick<AnyCall, "request" | "reply">,
  seconds: number,
  look: () => Promise<T>,
  isThere: (found: T) => boolean,
): Promise<T> {
  const end = performance.now() + seconds * 1000;
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  const signal = AbortSignal.any([gone.signal, request.server.apiClosing]);
  for (;;) {
    const found = await look();
    if (isThere(found) || performance.now() >= end || signal.aborted) return found;
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

declare module "fastify" {
  interface FastifyInstance {
    /** Aborted when the server closes. */
    apiClosing: AbortSignal;
  }
}
