import { z } from "zod";
import type { Envelope } from "../../../contract/envelope.ts";
import { MOST_WRITTEN_LINES } from "../../../contract/parameters.ts";
import { isGone } from "../../../db/unavailable.ts";
import { badRequest } from "../../../shared/errors.ts";
import type { Caller } from "../../endpoint/credentials.ts";
import type { ApiDeps, ByLine } from "../../endpoint/declaration.ts";
import { envelopeOfOne } from "../../endpoint/envelope.ts";
import { readLine, readParameters } from "../../endpoint/lines.ts";
import type { Outcome } from "../../idempotency.ts";
import { noteWrite } from "../../last-write.ts";
import type { TokenPair } from "../../tokens.ts";

/** Lines whose answers are sent together. */
const PIECE = 100;

export interface Written<P> {
  parameters: P;
  key: string | undefined;
}

type Answer = Record<string, unknown>;
type Writer = Caller & TokenPair;

/** A call with an effect that can be made for many lines in one transaction. */
interface Writing<P> {
  /** Undefined outcomes are of calls that must wait for the others, never the first. Throws if it made none. */
  write: (caller: Writer, calls: Written<P>[]) => Promise<(Outcome<Answer> | undefined)[]>;
  /** Calls with a name in common are made one after the other. */
  namesOf: (call: Written<P>) => string[];
}

/** Makes the call alone. */
export async function writeOne<P>({ write }: Writing<P>, caller: Writer, call: Written<P>): Promise<Answer> {
  const [outcome] = await write(caller, [call]);
  if (!outcome) throw new Error("A call alone has no outcome.");
  if ("error" in outcome) throw outcome.error;
  return outcome.done;
}

/** NDJSON for an endpoint with an effect: each line has the parameters of a call, `idempotencyKey` too if it takes one (wire-format 7). */
export const writtenByLine = <S extends z.ZodObject>(
  deps: ApiDeps,
  line: S,
  writing: Writing<z.output<S>>,
): Omit<ByLine<Writer>, "example"> => ({
  most: MOST_WRITTEN_LINES,
  parameters: z.object({}),
  line,
  answer({ caller, idempotencyKey }, lines) {
    if (idempotencyKey !== undefined)
      throw badRequest("Send idempotencyKey in each line, not an Idempotency-Key for all.");
    return answerEach(deps, { line, writing, caller }, lines);
  },
});

async function* answerEach<S extends z.ZodObject>(
  deps: ApiDeps,
  { line, writing, caller }: { line: S; writing: Writing<z.output<S>>; caller: Writer },
  lines: string[],
): AsyncGenerator<Envelope> {
  for (let from = 0; from < lines.length; from += PIECE) {
    const read = lines.slice(from, from + PIECE).map((each) => readCall(line, each));
    const calls = read.flatMap((each) => ("error" in each ? [] : [each.done]));
    const outcomes = (await writeEach(writing, caller, calls)).values();
    if (deps.replicas.isConfigured) await noteWrite(deps.pool, caller);
    for (const each of read) {
      const outcome = "error" in each ? each : (outcomes.next().value as Outcome<Answer>);
      yield envelopeOfOne(outcome, caller, deps.log);
    }
  }
}

function readCall<S extends z.ZodObject>(schema: S, line: string): Outcome<Written<z.output<S>>> {
  const read = readParameters(schema, readLine(line), "A line must be a JSON object with the parameters of a call.");
  if ("error" in read) return read;
  return { done: { parameters: read.done, key: read.done.idempotencyKey as string | undefined } };
}

/** Makes the calls as if one after the other, in as few transactions as possible. */
async function writeEach<P>(writing: Writing<P>, caller: Writer, calls: Written<P>[]): Promise<Outcome<Answer>[]> {
  const outcomes = new Map<number, Outcome<Answer>>();
  for (let left = [...calls.keys()]; left.length > 0; left = left.filter((at) => !outcomes.has(at))) {
    const together = withoutCommonNames(left, (at) => writing.namesOf(calls[at] as Written<P>));
    await write(together);
  }
  return calls.map((_, at) => outcomes.get(at) as Outcome<Answer>);

  /** Halves what fails as a whole, so that one call spoils no other. */
  async function write(together: number[]): Promise<void> {
    try {
      const made = await writing.write(
        caller,
        together.flatMap((at) => calls[at] ?? []),
      );
      for (const [place, at] of together.entries()) if (made[place]) outcomes.set(at, made[place]);
    } catch (error) {
      const half = together.length / 2;
      if (half < 1 || isGone(error)) for (const at of together) outcomes.set(at, { error });
      else for (const part of [together.slice(0, half), together.slice(half)]) await write(part);
    }
  }
}

/** Leaves out each that has a name in common with one before it. */
function withoutCommonNames(calls: number[], namesOf: (at: number) => string[]): number[] {
  const seen = new Set<string>();
  return calls.filter((at) => {
    const names = namesOf(at);
    const isFirst = names.every((name) => !seen.has(name));
    for (const name of names) seen.add(name);
    return isFirst;
  });
}
