/** A destination for createLogger() that keeps all lines in memory. */
export function collectLogs() {
  const lines: string[] = [];
  return {
    lines,
    write: (chunk: string) => void lines.push(...chunk.split("\n").filter(Boolean)),
    text: () => lines.join("\n"),
  };
}
