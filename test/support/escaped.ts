import { onTestFinished } from "vitest";

/** Collects uncaught errors until the end of the test. Outside tests they would end the process. */
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
