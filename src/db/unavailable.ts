import { setTimeout as sleep } from "node:timers/promises";

/**
 * Whether the same call may succeed later: the database is down, unreachable, full, overloaded or too slow, or it ended the
 * transaction to resolve a deadlock.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, meta, cause } = error as PrismaDetails;
  // At the beginning and end of a transaction Prisma passes on the driver's error.
  const driver = meta?.driverAdapterError?.cause ?? cause;
  return (
    UNAVAILABLE_CODES.test(code ?? "") ||
    UNAVAILABLE_CODES.test(driver?.originalCode ?? "") ||
    ADAPTER_KINDS.has(driver?.kind ?? "") ||
    PG_MESSAGES.test(error.message) ||
    LOST_NODE.test(error.message)
  );
}

/** Whether other statements will fail too. False if only this one did, because it took too long or was part of a deadlock. */
export function isGone(error: unknown): boolean {
  const { code, message, meta } = error as PrismaDetails & { message?: string };
  const codes = [code, meta?.driverAdapterError?.cause?.originalCode];
  return (
    isUnavailable(error) && !codes.some((each) => ONE_STATEMENT.test(each ?? "")) && message !== "Query read timeout"
  );
}

/** For `catch`: returns undefined if the database is unavailable; rethrows other errors. */
export function unlessUnavailable(error: unknown): undefined {
  if (!isUnavailable(error)) throw error;
}

interface DriverDetails {
  cause?: { kind?: string; originalCode?: string };
}

interface PrismaDetails extends DriverDetails {
  code?: string;
  meta?: { driverAdapterError?: DriverDetails };
}

const UNAVAILABLE_CODES = new RegExp(
  [
    "^08...$|^53...$|^57P0.$", // SQLSTATE: connection, resources (connections, disk), shutdown and start-up
    "^57014$|^25006$|^58030$", // statement timeout, read-only after a fail-over, disk error
    "^40P01$|^P2034$", // deadlock, in Prisma's words write conflict
    "^ECONN|^EPIPE$|^ETIMEDOUT$|^ENOTFOUND$|^EAI_AGAIN$|^E(HOST|NET)(UNREACH|DOWN)$", // Node
    "^P100[128]$|^P1017$|^P20(24|28|37)$", // Prisma: not reachable, closed, no connection or transaction in time
  ].join("|"),
);

const ONE_STATEMENT = /^(57014|40P01|P2028|P2034)$/;

const ADAPTER_KINDS = new Set(["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout", "TooManyConnections"]);

// node-postgres gives these errors no code.
const PG_MESSAGES =
  /^(timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client has encountered a connection error|Cannot use a pool after calling end)/;

/** What the first write on each connection says after a node of Citus was started again, with the code of an internal error (XX000). */
const LOST_NODE = /failure on connection marked as essential: /;

export const DATABASE_RETRY_MS = 500;
const PATIENCE_MS = 60_000;

interface Options {
  signal?: AbortSignal;
  patienceMs?: number;
  onFirst?(error: unknown): void;
}

export type Patiently = <T>(step: () => Promise<T>) => Promise<T>;

/**
 * Repeats `step` while the database is unavailable. For steps that may run twice.
 *
 * @throws the error of `step`, once `patienceMs` have passed or if it has another cause; the reason of `signal` if aborted
 */
export async function patiently<T>(
  step: () => Promise<T>,
  { signal, patienceMs = PATIENCE_MS, onFirst }: Options = {},
): Promise<T> {
  const begun = performance.now();
  for (let times = 1; ; times++) {
    try {
      return await step();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      signal?.throwIfAborted();
      if (performance.now() - begun > patienceMs) throw error;
      if (times === 1) onFirst?.(error);
      await sleep(DATABASE_RETRY_MS, undefined, { ...(signal && { signal }) }).catch(() => signal?.throwIfAborted());
    }
  }
}
