export interface Finding {
  state: "good" | "warning" | "bad";
  words: string;
}

export const milliseconds = (ms: number): string => `${Math.max(1, Math.round(ms))} ms`;
