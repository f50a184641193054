import { isUnavailable, type Patiently, patiently } from "../db/unavailable.ts";
import { KnownError } from "../shared/errors.ts";

/** Longer than a restart, an upgrade or a fail-over of PostgreSQL. */
const PATIENCE = "5 minutes";
const PATIENCE_MS = 5 * 60_000;

interface Options {
  signal: AbortSignal;
  say: (message: string) => void;
  /** The next step once PATIENCE is over, as a sentence. */
  hint: string;
}

/** Retries steps while the database is away, so a step may run twice. Throws KnownError 503 after PATIENCE. */
export function createPatience({ signal, say, hint }: Options): Patiently {
  let isAway = false;
  const onFirst = () => {
    if (!isAway) say(`The database does not answer. Waiting for it, up to ${PATIENCE}.`);
    isAway = true;
  };
  return async (step) => {
    const result = await patiently(step, { signal, patienceMs: PATIENCE_MS, onFirst }).catch((error) => {
      if (!isUnavailable(error)) throw error;
      throw gone(`The database has not answered for ${PATIENCE}.`, hint, error);
    });
    if (isAway) say("The database answers again.");
    isAway = false;
    return result;
  };
}

/** Returns an error handler that adds `hint` if the database is away. */
export function whenGone(hint: string): (error: unknown) => never {
  return (error) => {
    throw isUnavailable(error) ? gone("The connection to the database was lost.", hint, error) : error;
  };
}

const gone = (what: string, hint: string, cause: unknown): KnownError =>
  new KnownError(503, "unavailable", `${what} ${hint}`, { cause });
