import { type Command, InvalidArgumentError } from "commander";
import { updateApplication } from "../directory/applications.ts";
import type { Run } from "./with-directory.ts";

/** `samespot application limit`: how many calls an hour an application has, and each of its tokens. */
export function addLimitCommand(application: Command, run: Run): void {
  application
    .command("limit")
    .description("set how many calls an hour an application, and each of its tokens, has in each group of endpoints")
    .argument("<client-id>")
    .argument("<n|off|default>", "a number, off for no limit, default for what RATE_LIMIT says", parseLimit)
    .action((clientId, rateLimit) =>
      run(async ({ deps }) => {
        await updateApplication(deps, clientId, { rateLimit });
        return { client_id: clientId, rate_limit: shownLimit(rateLimit) };
      }),
    );
}

/** As it is kept: null for the usual numbers, 0 for no limit. */
export function parseLimit(text: string): number | null {
  if (text === "default") return null;
  if (text === "off") return 0;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 1 to 999999999, off, or default.");
}

/** As it is typed. */
export const shownLimit = (limit: number | null): number | string => limit || (limit === 0 ? "off" : "default");
