import { onTestFinished } from "vitest";
import { cost, REAL_COST } from "../../src/directory/passwords.ts";

/**
 * A log-in takes a quarter of a second of processor time, and the tests log in more than a thousand times. The programs that a test
 * starts keep the real cost.
 */
const lower = () => Object.assign(cost, { N: 2 ** 10, p: 1 });

/** Gives passwords their real cost until the end of the test. */
export function useRealCost(): void {
  Object.assign(cost, REAL_COST);
  onTestFinished(() => void lower());
}

lower();
