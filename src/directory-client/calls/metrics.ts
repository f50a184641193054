import { Histogram } from "prom-client";
import { DirectoryError } from "./errors.ts";

const seconds = new Histogram({
  name: "samespot_directory_call_seconds",
  help: "Calls of this process to the directory, by host (auth, api) and outcome: ok, aborted by us, or the kind of error",
  labelNames: ["host", "outcome"],
  buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
});

export async function measured<T>(host: "auth" | "api", call: () => Promise<T>): Promise<T> {
  const end = seconds.startTimer({ host });
  try {
    const value = await call();
    end({ outcome: "ok" });
    return value;
  } catch (error) {
    end({ outcome: outcomeOf(error) });
    throw error;
  }
}

function outcomeOf(error: unknown): string {
  if (!(error instanceof DirectoryError)) return "failed";
  return error.cause instanceof Error && error.cause.message === "AbortError" ? "aborted" : error.kind;
}
