/** Prints `ok …`, or `not ok …` with the reason and throws, because later checks depend on it. `.ci/run` counts these lines. */
export async function check<T>(name: string, verify: () => T | Promise<T>): Promise<T> {
  const begun = performance.now();
  const seconds = () => ((performance.now() - begun) / 1000).toFixed(1);
  try {
    const result = await verify();
    console.log(`ok ${name} (${seconds()} s)`);
    return result;
  } catch (error) {
    console.log(`not ok ${name} (${seconds()} s)\n${error instanceof Error ? error.message : error}`);
    throw new FailedCheck(name);
  }
}

/** Already printed. */
export class FailedCheck extends Error {}
