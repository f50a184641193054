import { onTestFinished } from "vitest";

/** What nobody catches from here to the end of the test, and what would end a process that is no test. */
export function collectEscaped(): unknown[] {
  const escaped: unknown[] = [];
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    const others = process.listeners(event as "uncaughtException");
    process.removeAllListeners(event);
    process.on(event, (error) => escaped.push(error));
    onTestFinished(() => {
      process.removeAllListeners(event);
      for (const each of others) process.on(event, each);
    });
  }
  return escaped;
}
