import { apiBreakages } from "./api.ts";
import { apiAnswerBreakages } from "./api-answers.ts";
import { apiEffectBreakages } from "./api-effects.ts";
import { apiLimitBreakages } from "./api-limits.ts";
import { requestBreakages } from "./api-requests.ts";
import type { Breakage } from "./breakage.ts";
import { providerBreakages } from "./provider.ts";
import { connectionBreakages } from "./provider-connections.ts";
import { exchangeBreakages } from "./provider-exchange.ts";
import { loginBreakages } from "./provider-log-in.ts";
import { pageBreakages } from "./provider-pages.ts";

/** All of them, group after group. */
export const breakages: Breakage[] = [
  ...providerBreakages,
  ...exchangeBreakages,
  ...loginBreakages,
  ...pageBreakages,
  ...connectionBreakages,
  ...apiBreakages,
  ...requestBreakages,
  ...apiAnswerBreakages,
  ...apiEffectBreakages,
  ...apiLimitBreakages,
];
