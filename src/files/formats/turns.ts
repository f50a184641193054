import { t } from "../../language/translate.ts";
import { unavailable } from "../../shared/errors.ts";

/** Waits until this file may be read. The signal ends its reading. May be called again. Throws KnownError 503 after a while. */
export type Turn = () => Promise<AbortSignal>;

interface Limits {
  /** Files that are read at the same time: in all, and of one person. */
  all: number;
  each: number;
  patienceMs: number;
}

/** Processes that read files, of each of our processes: one may take half a gigabyte and a processor. */
export const inTurn = createTurns({ all: 2, each: 1, patienceMs: 120_000 });

/**
 * Makes what lets files be read in turn: whoever has waited longest, unless another file of the same person is being read.
 * `person` is null on the command line. What was begun in a turn has ended when `work` has.
 */
export function createTurns({ all, each, patienceMs }: Limits) {
  const reading: (string | null)[] = [];
  const waiting: { person: string | null; begin: () => void }[] = [];

  function beginNext(): void {
    const isFree = (person: string | null) => reading.filter((other) => other === person).length < each;
    const at = reading.length < all ? waiting.findIndex(({ person }) => isFree(person)) : -1;
    if (at < 0) return;
    for (const { person, begin } of waiting.splice(at, 1)) {
      reading.push(person);
      begin();
    }
    beginNext();
  }
  async function take(person: string | null, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const turn = Promise.withResolvers<void>();
    const place = { person, begin: turn.resolve };
    // At once, so that a turn which comes in the same moment goes to somebody who takes it.
    const giveUp = (reason: unknown) => {
      const at = waiting.indexOf(place);
      if (at >= 0) waiting.splice(at, 1);
      turn.reject(reason);
    };
    const leave = () => giveUp(signal.reason);
    const late = setTimeout(() => giveUp(tooMany()), patienceMs);
    signal.addEventListener("abort", leave);
    waiting.push(place);
    beginNext();
    try {
      await turn.promise;
    } finally {
      clearTimeout(late);
      signal.removeEventListener("abort", leave);
    }
  }
  return async function inTurn<T>(
    person: string | null,
    signal: AbortSignal,
    work: (turn: Turn) => Promise<T>,
  ): Promise<T> {
    const done = new AbortController();
    const either = AbortSignal.any([signal, done.signal]);
    let taken: Promise<void> | undefined;
    try {
      return await work(async () => {
        taken ??= take(person, signal);
        await taken;
        return either;
      });
    } finally {
      done.abort();
      const wasTaken = await taken?.then(
        () => true,
        () => false,
      );
      if (wasTaken) reading.splice(reading.indexOf(person), 1);
      beginNext();
    }
  };
}

const tooMany = () =>
  unavailable(
    t(
      "Samespot is busy reading other files, perhaps one of yours. Upload this one again in a few minutes; nothing of it was kept.",
    ),
    120,
  );
