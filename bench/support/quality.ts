/** The first candidate of a listing, and whether it is right. */
export interface Answer {
  /** 0 where there is no candidate. */
  score: number;
  isRight: boolean;
  /** Whether the listing has a right venue at all. */
  hasRight: boolean;
  /** Whether it may be accepted without a person. */
  confident?: boolean;
}

/**
 * How good answers are: F1, precision and recall of those at `cut` or above; right-first among the listings that have a right
 * venue; the most that could be accepted with 98 of 100 right; and the calibration error, the mean difference between scores
 * and the share that is right, in ten bins.
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

/** What may be accepted without a person: how much of what could be found, and how much of it is right. */
export function autoAcceptOf(answers: readonly Answer[]) {
  const findable = answers.filter(({ hasRight }) => hasRight).length;
  const accepted = answers.filter(({ confident }) => confident);
  const right = accepted.filter(({ isRight }) => isRight).length;
  return { "accepted recall": right / (findable || 1), "accepted precision": right / (accepted.length || 1) };
}

/** The cut at which F1 is best. */
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

/** For every score, from the best, how many answers have it or a better one, and how many of them are right. */
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
