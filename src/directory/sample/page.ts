import type { Pool } from "pg";
import { unlessUnavailable } from "../../db/unavailable.ts";
import { sampleState } from "./remove.ts";

/** Where operators remove the demo data, on the auth host. */
export const DEMO_PAGE = "/operator/demo";

/** Whether to say on a page that there is demo data. `href` leads operators to its removal. */
export interface DemoNote {
  href: string | undefined;
}

export async function demoNote(
  { pool }: { pool: Pool },
  user?: { isOperator: boolean },
): Promise<DemoNote | undefined> {
  const state = await sampleState(pool).catch(unlessUnavailable);
  return state === "there" ? { href: user?.isOperator ? DEMO_PAGE : undefined } : undefined;
}
