import { type DestinationStream, type Logger, pino } from "pino";

export type { Logger };

/**
 * Logs JSON lines to standard output. Query strings contain secrets, and `redact` does not find them in addresses and messages.
 * So requests are logged by route only, and error texts are cleaned. `leavesOut` selects errors that are reported elsewhere.
 */
export function createLogger(options: {
  level: string;
  destination?: DestinationStream | undefined;
  leavesOut?: (error: unknown) => boolean;
}): Logger {
  const { leavesOut = () => false } = options;
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: {
        err: describeError,
        error: describeError,
        req: () => undefined,
        res: () => undefined,
        busboyOptions: () => undefined, // @fastify/multipart logs a request's headers under this name, at trace
      },
      hooks: {
        streamWrite: clean,
        logMethod(args, method) {
          const [first] = args as unknown[];
          if (!leavesOut((first as { err?: unknown } | null)?.err ?? first)) method.apply(this, args);
        },
      },
    },
    options.destination ?? standardOutput(),
  );
}

/** Characters to buffer while standard output is blocked; further lines are dropped. */
const MOST_WAITING = 1_000_000;

/** A full log volume does not end the process: lines wait for space (attacks F14). */
function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: true, maxLength: MOST_WAITING });
  output.on("error", () => {}); // there is nowhere to say so
  return output;
}

/** Omits other fields of the error, which may contain a request or a row. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  const code = "code" in error ? String(error.code) : undefined;
  return { type: error.name, code, message: error.message, stack: error.stack, cause: describeError(error.cause) };
}

/** Removes credentials, and the values of all `name=value` parameters, from a line. */
function clean(line: string): string {
  return line
    .replace(/([?&#][\w.~%-]+)=[^&\s"'`\\]*/g, "$1=…")
    .replace(/(\/\/[^/\s:@"]+):[^@\s/"]+@/g, "$1:…@")
    .replace(/\b(bearer|basic)\s+[^\s"\\]+/gi, "$1 …");
}
