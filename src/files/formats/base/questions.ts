/** A question as it is sent. The answer names its number. */
export type Asked<Question> = Question & { number: number };
export interface Answer {
  number: number;
  answer: unknown;
}

/** Asks another process, several questions at once. Their answers may come in any order. */
export function createQuestions<Question extends object>(send: (asked: Asked<Question>) => void) {
  const waiting = new Map<number, (answer: unknown) => void>();
  let last = 0;
  return {
    ask<Given>(question: Question): Promise<Given> {
      last += 1;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(last, answer.resolve);
      send({ ...question, number: last });
      return answer.promise as Promise<Given>;
    },
    answered({ number, answer }: Answer): void {
      waiting.get(number)?.(answer);
      waiting.delete(number);
    },
  };
}
