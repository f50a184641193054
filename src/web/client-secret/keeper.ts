import type { Logger } from "../../http/logger.ts";
import type { Web } from "../base/deps.ts";
import { createEnder } from "./end-old.ts";
import { createWaitingRetry } from "./rotate.ts";
import { createSettingsCheck } from "./settings.ts";

/**
 * What housekeeping does about the client secret every few seconds: takes the one of the settings where the stored one is
 * dead, switches on one that waits, and sees to the end of old ones.
 */
export function createSecretKeeper(web: Web, log: Logger): () => Promise<void> {
  const steps = [createSettingsCheck(web, log), createWaitingRetry(web, log), createEnder(web)];
  return async () => {
    for (const step of steps) await step();
  };
}
