import { type Patiently, patiently } from "../db/patiently.ts";
import { isUnavailable } from "../db/unavailable.ts";
import { KnownError } from "../shared/errors.ts";

/** A restart, an upgrade or a fail-over of PostgreSQL takes less. */
const [PATIENCE, PATIENCE_MS] = ["5 minutes", 5 * 60_000];

interface Options {
  signal: AbortSignal;
  say: (message: string) => void;
  /** What to do once patience has run out, as a sentence. */
  hint: string;
}

/**
 * Lets the steps of a long command outlive a restart of the database. A step may be done twice. The person is told once for
 * each time that the database is away.
 *
 * @throws KnownError 503 from a step that waited for five minutes, and the reason of `signal` from one that waits
 */
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

/** To catch what a command throws under which the database goes away: the hint says how to go on. */
export function whenGone(hint: string): (error: unknown) => never {
  return (error) => {
    throw isUnavailable(error) ? gone("The database went away.", hint, error) : error;
  };
}

const gone = (what: string, hint: string, cause: unknown): KnownError =>
  new KnownError(503, "unavailable", `${what} ${hint}`, { cause });
