/**
 * Whether an error of `pool` or `prisma` says that the database is down, unreachable, full, overloaded or too slow
 * right now, so that the same call may succeed later: 503 with Retry-After. Everything else is a fault of ours.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, meta, cause } = error as PrismaDetails;
  // At the beginning and end of a transaction the driver's own error comes through.
  const driver = meta?.driverAdapterError?.cause ?? cause;
  return (
    UNAVAILABLE_CODES.test(code ?? "") ||
    UNAVAILABLE_CODES.test(driver?.originalCode ?? "") ||
    ADAPTER_KINDS.has(driver?.kind ?? "") ||
    PG_MESSAGES.test(error.message)
  );
}

/** For `catch`: undefined where the database is away or too busy; throws anything else. */
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
    "^ECONN|^EPIPE$|^ETIMEDOUT$|^ENOTFOUND$|^EAI_AGAIN$|^E(HOST|NET)(UNREACH|DOWN)$", // Node
    "^P100[128]$|^P1017$|^P20(24|28|37)$", // Prisma: not reachable, closed, no connection or transaction in time
  ].join("|"),
);

const ADAPTER_KINDS = new Set(["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout", "TooManyConnections"]);

// node-postgres gives these no code.
const PG_MESSAGES =
  /^(timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client has encountered a connection error|Cannot use a pool after calling end)/;
