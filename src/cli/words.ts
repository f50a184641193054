/** "1 problem", "2 problems". */
export const counted = (value: number, thing: string): string => `${count(value)} ${thing}${value === 1 ? "" : "s"}`;

export const count = (value: number): string => value.toLocaleString("en-US");

export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
