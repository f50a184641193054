/** Returns the rounds of a test: `usual` in `npm test`, which finds nearly every fault, and `whole` in `npm run faults -- --whole`. */
export const roundsOf = (whole: number, usual: number): number => (process.env.WHOLE_ROUNDS ? whole : usual);
