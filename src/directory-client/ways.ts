import type { Headers } from "undici";
import { DirectoryError, type DirectoryErrorKind } from "./calls/errors.ts";

/** A call of several counts once for each, so with a low limit a rejected one must not use up the hour. */
const SHARE_OF_LIMIT = 1 / 20;

/** Returns how many a call may have, if the directory reports its limit. */
export function shareOfLimit(headers: Headers): number | undefined {
  const limit = Number(headers.get("x-ratelimit-limit") ?? Number.NaN);
  return limit > 0 ? Math.ceil(limit * SHARE_OF_LIMIT) : undefined;
}

const FORGET_MS = 600_000;

export type Missing = ReturnType<typeof missing>;

/** Remembers that the directory turned out not to support a way of calling, which errors of these kinds show. */
export function missing(...kinds: DirectoryErrorKind[]) {
  let until = 0;
  const remember = () => {
    until = performance.now() + FORGET_MS;
  };
  return {
    is: () => performance.now() < until,
    remember,
    note(error: unknown): never {
      if (error instanceof DirectoryError && kinds.includes(error.kind)) remember();
      throw error;
    },
  };
}
