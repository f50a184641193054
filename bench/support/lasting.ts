/** With --smallest a benchmark only shows that it works. */
const SMALLEST = 1 / 20;

let part = 1;

export const shorten = (): void => {
  part = SMALLEST;
};

/** Milliseconds, or a number of times, that a benchmark waits or repeats something; with --smallest a twentieth of it. */
export const lasting = (usual: number): number => Math.ceil(usual * part);
