/**
 * A destination for `createLogger({ level: "trace", destination })` that keeps every line in memory.
 */
export function collectLogs() {
  const lines: string[] = [];
  return {
    lines,
    write: (chunk: string) => void lines.push(...chunk.split("\n").filter(Boolean)),
    text: () => lines.join("\n"),
  };
}
