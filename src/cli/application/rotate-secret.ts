import { rotateSecret } from "../../directory/applications/secrets.ts";
import { KnownError } from "../../shared/errors.ts";
import { keepOwnSecret } from "../../start/setup.ts";
import type { Context } from "../with-directory.ts";

/** Returns the new secret, after storing it if the application is this installation's web app. */
export async function rotate({ deps, ...parts }: Context, clientId: string, overlap: string): Promise<string> {
  const overlapHours = hours(overlap);
  const { clientSecret } = await rotateSecret(deps, clientId, { overlapHours });
  await keepOwnSecret(parts, { clientId, clientSecret, overlapSeconds: overlapHours * 3600 });
  return clientSecret;
}

const HOURS = { m: 1 / 60, h: 1, d: 24 };

function hours(duration: string): number {
  const [, amount, unit] = /^(\d{1,4})([mhd])$/.exec(duration) ?? [];
  if (duration !== "0" && !amount)
    throw new KnownError(400, "param_error", "--overlap must look like 24h, 90m, 7d or 0.");
  return Number(amount ?? 0) * HOURS[(unit ?? "h") as keyof typeof HOURS];
}
