import { ConfigError } from "../config/config.ts";
import { isUnavailable } from "../db/unavailable.ts";
import { KnownError } from "../shared/errors.ts";
import { END_SIGNALS, type EndSignal } from "../shared/signals.ts";
import { databaseTrustAdvice } from "../shared/trust.ts";

/** Runs a command. An error becomes one clear message and exit code 1, unless a code is already set. */
export async function runCommand(
  command: () => Promise<void>,
  complain: (message: string) => void = console.error,
): Promise<void> {
  try {
    await command();
  } catch (error) {
    process.exitCode ??= 1;
    complain(messageOf(error));
  }
}

/** Only an unexpected error comes with its stack, and none with its other fields, which may contain a row or a password. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError || error instanceof KnownError) return error.message;
  if (codeOf(error) === PROTOCOL_VIOLATION && /startup parameter/.test(error.message))
    return (
      `The address of the database leads to a pooler (${reasonOf(error)}). Set DIRECT_DATABASE_URL to the address of the ` +
      'database itself; see "PgBouncer" in docs/scaling.md.'
    );
  const distrust = "setting" in error && databaseTrustAdvice(codeOf(error), settingOf(error));
  if (distrust) return `The database cannot be used: ${reasonOf(error)}. ${distrust}`;
  if (isUnavailable(error) || REFUSED_BY_DATABASE.test(codeOf(error)))
    return `The database cannot be used: ${reasonOf(error)}. ${settingOf(error)} says where it is.`;
  if (error instanceof URIError) return `${settingOf(error)}: write each % as %25.`;
  const isForeseen = Object.getPrototypeOf(error) === Error.prototype || "syscall" in error; // our own errors, and those of files and ports
  return isForeseen ? error.message : (error.stack ?? error.message);
}

const PROTOCOL_VIOLATION = "08P01";

/** SQLSTATE: wrong password or role, unknown database, no right to use it. */
const REFUSED_BY_DATABASE = /^(28...|3D000|42501)$/;

const settingOf = (error: Error) => ("setting" in error ? String(error.setting) : "DATABASE_URL");

const codeOf = (error: Error) => ("code" in error ? String(error.code) : "");

/** A name with several addresses fails with an error for each; Prisma begins with the place in the code. */
function reasonOf(error: Error): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const { message } = first instanceof Error ? first : error;
  return message
    .trim()
    .replace(/^Invalid `.*` invocation:\s*/s, "")
    .replace(/\.$/, "");
}

/**
 * Milliseconds within which further signals are the first one once more: npm passes on to this process what its process group got
 * as well, by Ctrl-C or `kill -- -PGID`.
 */
const SAME_MS = 1000;

/** Calls `end` at the first signal to end, and `force` at one that comes later. Returns a function that stops listening. */
export function onEndSignals(end: (signal: EndSignal) => void, force: () => void): () => void {
  let begun: number | undefined;
  const listen = (signal: EndSignal) => {
    if (begun === undefined) {
      begun = performance.now();
      end(signal);
    } else if (performance.now() - begun > SAME_MS) force();
  };
  for (const signal of END_SIGNALS) process.on(signal, listen);
  return () => {
    for (const signal of END_SIGNALS) process.off(signal, listen);
  };
}
