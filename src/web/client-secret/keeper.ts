import type { Logger } from "../../http/logger.ts";
import type { Web } from "../base/deps.ts";
import { createEnder, createWaitingRetry } from "./rotate.ts";
import { createSettingsCheck } from "./settings.ts";

/**
 * Returns the job that housekeeping runs every few seconds: uses the secret of the settings if the stored one is dead,
 * switches on a waiting one, and ends old ones.
 */
export function createSecretKeeper(web: Web, log: Logger): () => Promise<void> {
  const steps = [createSettingsCheck(web, log), createWaitingRetry(web, log), createEnder(web)];
  return async () => {
    for (const step of steps) await step();
  };
}
