import { type Columns, FIELDS, indexesOf } from "../../../files/columns.ts";
import { columnInWords } from "../../../files/row/row.ts";
import type { Preview } from "../../../harmonize/file/preview.ts";
import { wordsOf } from "../../../harmonize/run/problems/words.ts";
import { meaningAt } from "./form.ts";

export function shownPreview({ columns, firstProblem, ...preview }: Preview, chosen: Columns) {
  const header = columns.map(({ name }) => name);
  const meaningOf = new Map(
    FIELDS.flatMap((field) => {
      const all = indexesOf(chosen, field);
      const joined = all.length > 1 ? columnInWords(header, chosen, field) : undefined;
      return all.map((index, at) => [index, { meaning: meaningAt(field, at), joined }]);
    }),
  );
  return {
    ...preview,
    firstProblem: firstProblem && wordsOf(firstProblem),
    columns: columns.map(({ name, samples, filled }, index) => ({
      name,
      samples,
      filledInWords: `${Math.floor(filled * 100)} %`,
      ...(meaningOf.get(index) ?? { meaning: "", joined: undefined }),
    })),
  };
}
export type ShownPreview = ReturnType<typeof shownPreview>;
