import { type Command, InvalidArgumentError } from "commander";
import { updateApplication } from "../../directory/applications/applications.ts";
import type { Run } from "../with-directory.ts";

export function addLimitCommand(application: Command, run: Run): void {
  application
    .command("limit")
    .description("set the calls per hour, in each group of endpoints, of an application and of each of its tokens")
    .argument("<client-id>")
    .argument("<n|off|default>", "a number; off: no limit; default: the value of RATE_LIMIT", parseLimit)
    .action((clientId, rateLimit) =>
      run(async ({ deps }) => {
        await updateApplication(deps, clientId, { rateLimit });
        return { client_id: clientId, rate_limit: shownLimit(rateLimit) };
      }),
    );
}

/** Returns null for the default, 0 for no limit. */
export function parseLimit(text: string): number | null {
  if (text === "default") return null;
  if (text === "off") return 0;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 1 to 999999999, off, or default.");
}

export const shownLimit = (limit: number | null): number | string => limit || (limit === 0 ? "off" : "default");
