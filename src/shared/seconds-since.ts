/** Seconds since a time of performance.now(), with one decimal. */
export const secondsSince = (begun: number): number => Math.round((performance.now() - begun) / 100) / 10;
