/** The first candidate of a listing. */
export interface Answer {
  /** 0 if there is no candidate. */
  score: number;
  isRight: boolean;
  /** Whether any venue matches the listing. */
  hasRight: boolean;
  /** Whether it may be accepted without review. */
  confident?: boolean;
}

/**
 * Returns F1, precision and recall at `cut`; "right first" among listings with a matching venue; the highest recall at a
 * precision of .98; and the calibration error: the mean difference between score and share of right answers, in ten bins.
 */
export function qualityOf(answers: readonly Answer[], cut = 0.5) {
  const findable = answers.filter(({ hasRight }) => hasRight).length;
  const taken = answers.filter(({ score }) => score >= cut);
  const right = taken.filter(({ isRight }) => isRight).length;
  const [precision, recall] = [right / (taken.length || 1), right / (findable || 1)];
  return {
    F1: (2 * precision * recall) / (precision + recall || 1),
    precision,
    recall,
    "right first": answers.filter(({ hasRight, isRight }) => hasRight && isRight).length / (findable || 1),
    "recall at .98": recallAtPrecision(answers, findable, 0.98),
    "calibration error": calibrationError(answers),
  };
}

/** Returns recall and precision of the answers that are accepted without review. */
export function autoAcceptOf(answers: readonly Answer[]) {
  const findable = answers.filter(({ hasRight }) => hasRight).length;
  const accepted = answers.filter(({ confident }) => confident);
  const right = accepted.filter(({ isRight }) => isRight).length;
  return { "accepted recall": right / (findable || 1), "accepted precision": right / (accepted.length || 1) };
}

/** Returns the cut with the highest F1. */
export function bestCut(answers: readonly Answer[]): number {
  const findable = answers.filter(({ hasRight }) => hasRight).length;
  let best = { score: 1, f1: 0 };
  for (const { score, taken, right } of steps(answers)) {
    const f1 = (2 * right) / (taken + findable);
    if (f1 > best.f1) best = { score, f1 };
  }
  return best.score;
}

function recallAtPrecision(answers: readonly Answer[], findable: number, least: number): number {
  const enough = steps(answers).filter(({ taken, right }) => right / taken >= least);
  return (enough.at(-1)?.right ?? 0) / (findable || 1);
}

/** Counts, for each score from the highest, the answers with at least that score, and the right ones among them. */
function steps(answers: readonly Answer[]): { score: number; taken: number; right: number }[] {
  let right = 0;
  return answers
    .toSorted((a, b) => b.score - a.score)
    .map(({ score, isRight }, at) => {
      right += Number(isRight);
      return { score, taken: at + 1, right };
    })
    .filter(({ score }, at, all) => score !== all[at + 1]?.score);
}

function calibrationError(answers: readonly Answer[]): number {
  const bins = Array.from({ length: 10 }, () => ({ expected: 0, right: 0 }));
  for (const { score, isRight } of answers) {
    const bin = bins[Math.min(9, Math.floor(10 * score))];
    if (!bin) continue;
    bin.expected += score;
    bin.right += Number(isRight);
  }
  return bins.reduce((sum, { expected, right }) => sum + Math.abs(expected - right), 0) / (answers.length || 1);
}
