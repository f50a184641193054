// Loaded into a child before its program: at its end it writes the most memory it had, in bytes, to file descriptor 3.
import { readFileSync, writeSync } from "node:fs";

process.on("exit", () => writeSync(3, String(peakBytes())));

/** On Linux from /proc: getrusage there counts what the parent had at the fork as well. */
function peakBytes(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS * 1024;
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}
