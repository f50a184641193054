// Preloaded into a child process: on exit writes its peak memory in bytes to file descriptor 3.
import { readFileSync, writeSync } from "node:fs";

process.on("exit", () => writeSync(3, String(peakBytes())));

/** On Linux from /proc, because getrusage includes the parent's memory at the fork. */
function peakBytes(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS * 1024;
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}
