/** Missing values are undefined. */
export interface Example<Name extends string> {
  values: Partial<Record<Name, number | undefined>>;
  isSo: boolean;
  weight: number;
}

/** How the log-odds may change with a rising value. */
export type Direction = "up" | "down" | "any";

export interface Shape {
  /** Ends of the curve's segments, in ascending order. */
  knots: number[];
  direction: Direction;
  /** Whether a missing value has its own weight, otherwise 0. */
  missing?: boolean;
}

export interface Curve {
  at: number[];
  adds: number[];
  missing?: number;
}

export interface Fit<Name extends string> {
  bias: number;
  curves: Partial<Record<Name, Curve>>;
}

/** A segment of a curve, or the weight of a missing value. */
interface Term<Name extends string> {
  name: Name;
  from: number;
  to: number;
  direction: Direction;
  isMissing: boolean;
}

const ROUNDS = 15;

/**
 * Fits a logistic regression on piecewise linear curves that only rise or only fall: Newton steps, each solved by coordinate
 * descent within the allowed signs. `ridge` pulls weights towards 0.
 */
export function fitMonotone<Name extends string>(
  examples: readonly Example<Name>[],
  shapes: Record<Name, Shape>,
  ridge: number,
): Fit<Name> {
  const terms = termsOf(shapes);
  const rows = sparseRows(examples, terms);
  const weights = new Float64Array(terms.length + 1);
  let before = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const { gradient, hessian, loss } = derivatives(examples, rows, weights, ridge);
    if (before - loss < 1e-5 * loss) break;
    before = loss;
    const step = constrainedStep(gradient, hessian, weights, terms);
    for (let at = 0; at < weights.length; at++) weights[at] = (weights[at] as number) + (step[at] as number);
  }
  return { bias: round(weights.at(-1) ?? 0), curves: curvesOf(shapes, terms, weights) };
}

function termsOf<Name extends string>(shapes: Record<Name, Shape>): Term<Name>[] {
  return (Object.entries(shapes) as [Name, Shape][]).flatMap(([name, { knots, direction, missing }]) => {
    const steps = knots
      .slice(1)
      .map((to, at) => ({ name, from: knots[at] as number, to, direction, isMissing: false }));
    return missing ? [...steps, { name, from: 0, to: 0, direction: "any" as const, isMissing: true }] : steps;
  });
}

/** The nonzero terms of each example with their shares, the bias last. */
interface Rows {
  start: Int32Array;
  term: Int32Array;
  value: Float64Array;
}

function sparseRows<Name extends string>(examples: readonly Example<Name>[], terms: Term<Name>[]): Rows {
  const start = new Int32Array(examples.length + 1);
  const term: number[] = [];
  const value: number[] = [];
  examples.forEach(({ values }, index) => {
    terms.forEach((each, at) => {
      const given = values[each.name];
      const share = each.isMissing ? Number(given === undefined) : shareOf(each, given);
      if (share === 0) return;
      term.push(at);
      value.push(share);
    });
    term.push(terms.length);
    value.push(1);
    start[index + 1] = term.length;
  });
  return { start, term: Int32Array.from(term), value: Float64Array.from(value) };
}

function shareOf({ from, to }: { from: number; to: number }, given: number | undefined): number {
  return given === undefined ? 0 : Math.max(0, Math.min(1, (given - from) / (to - from)));
}

function derivatives<Name extends string>(
  examples: readonly Example<Name>[],
  { start, term, value }: Rows,
  weights: Float64Array,
  ridge: number,
) {
  const size = weights.length;
  const gradient = new Float64Array(size);
  const hessian = new Float64Array(size * size);
  let loss = 0;
  examples.forEach(({ isSo, weight }, index) => {
    const [from, to] = [start[index] as number, start[index + 1] as number];
    let sum = 0;
    for (let k = from; k < to; k++) sum += (weights[term[k] as number] as number) * (value[k] as number);
    const chance = 1 / (1 + Math.exp(-sum));
    loss -= weight * Math.log(Math.max(1e-12, isSo ? chance : 1 - chance));
    const pull = weight * (chance - Number(isSo));
    const bend = weight * Math.max(1e-4, chance * (1 - chance));
    for (let k = from; k < to; k++) {
      const [row, amount] = [term[k] as number, value[k] as number];
      gradient[row] = (gradient[row] as number) + pull * amount;
      for (let other = from; other <= k; other++) {
        const cell = row * size + (term[other] as number);
        hessian[cell] = (hessian[cell] as number) + bend * amount * (value[other] as number);
      }
    }
  });
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < row; column++) hessian[column * size + row] = hessian[row * size + column] as number;
    if (row === size - 1) continue; // the bias is free
    gradient[row] = (gradient[row] as number) + ridge * (weights[row] as number);
    hessian[row * size + row] = (hessian[row * size + row] as number) + ridge;
    loss += (ridge * (weights[row] as number) ** 2) / 2;
  }
  return { gradient, hessian, loss };
}

function constrainedStep<Name extends string>(
  gradient: Float64Array,
  hessian: Float64Array,
  weights: Float64Array,
  terms: Term<Name>[],
): Float64Array {
  const size = weights.length;
  const step = new Float64Array(size);
  for (let sweep = 0; sweep < 400; sweep++) {
    let moved = 0;
    for (let at = 0; at < size; at++) {
      let slope = gradient[at] as number;
      for (let other = 0; other < size; other++)
        slope += (hessian[at * size + other] as number) * (step[other] as number);
      const weight = weights[at] as number;
      const free = (step[at] as number) - slope / ((hessian[at * size + at] as number) + 1e-9);
      const next = within(terms[at]?.direction ?? "any", weight + free) - weight;
      moved = Math.max(moved, Math.abs(next - (step[at] as number)));
      step[at] = next;
    }
    if (moved < 1e-4) break;
  }
  return step;
}

function within(direction: Direction, weight: number): number {
  if (direction === "up") return Math.max(0, weight);
  return direction === "down" ? Math.min(0, weight) : weight;
}

/** Adds up the steps of each curve. Omits curves that stay at 0. */
function curvesOf<Name extends string>(shapes: Record<Name, Shape>, terms: Term<Name>[], weights: Float64Array) {
  const curves: Partial<Record<Name, Curve>> = {};
  for (const [name, { knots }] of Object.entries(shapes) as [Name, Shape][]) {
    const adds = [0];
    let missing = 0;
    terms.forEach((term, at) => {
      if (term.name !== name) return;
      if (term.isMissing) missing = round(weights[at] as number);
      else adds.push((adds.at(-1) ?? 0) + (weights[at] as number));
    });
    if (adds.every((add) => Math.abs(add) < 0.005) && missing === 0) continue;
    curves[name] = { at: knots, adds: adds.map(round), ...(missing !== 0 && { missing }) };
  }
  return curves;
}

const round = (value: number): number => Math.round(value * 100) / 100;
