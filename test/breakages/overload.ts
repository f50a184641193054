import type { Breakage } from "./breakage.ts";

const BRAKES = "test/attacks/brakes.test.ts";

/** Strangers who guess, ask too much at once, or do not read: groups B, C, F and W. */
export const overloadBreakages: Breakage[] = [
  {
    id: "B43",
    breaks: "the brake's refusal of a secret is dropped",
    file: "src/directory/auth/client-authentication.ts",
    find: "(await brake.count(id, request)) ??",
    replace: "(await brake.count(id, request), undefined) ??",
    test: BRAKES,
  },
  {
    id: "B44",
    breaks: "the port in X-Forwarded-For makes a network",
    file: "src/http/network.ts",
    find: 'network(bareAddress(ip) ?? socket.remoteAddress ?? "");',
    replace: 'network(ip || (bareAddress(ip) ?? socket.remoteAddress ?? ""));',
    test: BRAKES,
  },
  {
    id: "B44",
    breaks: "a trusted proxy that is named with its port is a stranger",
    file: "src/http/transport.ts",
    find: "const address = bareAddress(entry);",
    replace: "const address = bareAddress(entry) === entry ? entry : undefined;",
    test: BRAKES,
  },
  {
    id: "C25",
    breaks: "RATE_LIMIT=off overrides an application's own limit",
    file: "src/directory/api/limits.ts",
    find: "if (rateLimit !== null) return rateLimit || undefined;",
    replace: 'if (rateLimit !== null && config.rateLimit !== "off") return rateLimit || undefined;',
    test: "test/directory/api-limits.test.ts",
  },
  {
    id: "C25",
    breaks: "RATE_LIMIT=off overrides an application's own limit of queries",
    file: "src/directory/reconcile/access.ts",
    find: 'if (typeof caller?.rateLimit === "number")',
    replace: 'if (typeof caller?.rateLimit === "number" && config.rateLimit !== "off")',
    test: "test/directory/reconcile-access.test.ts",
  },
];
