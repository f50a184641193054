import { type DestinationStream, type Logger, pino } from "pino";

export type { Logger };

/**
 * JSON lines on standard output. This interface carries secrets in query strings, and `redact` does not look inside
 * addresses and messages: so a request is logged by its route only, and an error's text is cleaned first.
 *
 * @param options `leavesOut`: errors that are reported elsewhere
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

/** Characters that wait while standard output takes none; what comes then is left out. */
const MOST_WAITING = 1_000_000;

/** A volume of logs that is full ends nothing: the lines wait for space (attacks F14). */
function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: true, maxLength: MOST_WAITING });
  output.on("error", () => {}); // there is nowhere to say so
  return output;
}

/** What is worth knowing of an error; its other fields may hold a request or a row. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  const code = "code" in error ? String(error.code) : undefined;
  return { type: error.name, code, message: error.message, stack: error.stack, cause: describeError(error.cause) };
}

/** A finished line with the value of every `name=value` of an address and every credential cut out. */
function clean(line: string): string {
  return line
    .replace(/([?&#][\w.~%-]+)=[^&\s"'`\\]*/g, "$1=…")
    .replace(/(\/\/[^/\s:@"]+):[^@\s/"]+@/g, "$1:…@")
    .replace(/\b(bearer|basic)\s+[^\s"\\]+/gi, "$1 …");
}
