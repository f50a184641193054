export type Row = Record<string, string | number>;

/** By title. */
export type Tables = Record<string, Row[]>;

/** The export `run` of a file in bench/. */
export type Benchmark = (args: string[]) => Promise<Tables>;

export interface Report {
  name: string;
  /** One-minute load averages. Under foreign load the ratios mean little. */
  machine: { cpus: number; load: { before: number; after: number }; node: string };
  tables: Tables;
}

export function printReport(report: Report, isJson: boolean): void {
  if (isJson) {
    console.log(JSON.stringify(report));
    return;
  }
  const { cpus, load, node } = report.machine;
  for (const [title, rows] of Object.entries(report.tables)) console.log(`${title}\n${tableText(rows)}\n`);
  console.log(
    `${cpus} processors, load ${load.before.toFixed(1)} before and ${load.after.toFixed(1)} after, Node ${node}`,
  );
}

export const say = (message: string): void => console.error(message);

function tableText(rows: Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, ...rows.map((row) => columns.map((column) => cellText(row[column] ?? "")))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  const pad = (cell: string, index: number) =>
    index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0);
  return cells.map((line) => `  ${line.map(pad).join("  ")}`).join("\n");
}

/** Rounds to whole numbers from 100, otherwise to three digits. */
function cellText(value: string | number): string {
  if (typeof value === "string") return value;
  return (Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3))).toLocaleString("en-US");
}
