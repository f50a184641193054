import { closeSync, openSync, writeSync } from "node:fs";

/** Opens the file of --report, a line of tab-separated cells for each problem. Without a name nothing is written. */
export function openReport(name: string | undefined) {
  const file = name === undefined ? undefined : openSync(name, "w");
  return {
    write(...cells: (string | number)[]): void {
      if (file !== undefined) writeSync(file, `${cells.join("\t")}\n`);
    },
    close(): void {
      if (file !== undefined) closeSync(file);
    },
  };
}
