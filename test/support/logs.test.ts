import { expect, it } from "vitest";
import { createLogger } from "../../src/http/logger.ts";
import { collectLogs } from "./logs.ts";

it("the log collector returns one line for each entry, from trace on", () => {
  const logs = collectLogs();
  const log = createLogger({ level: "trace", destination: logs });
  log.trace({ step: 1 }, "first\nline");
  log.error("second");
  expect(logs.lines.map((line) => JSON.parse(line))).toMatchObject([
    { step: 1, msg: "first\nline" },
    { msg: "second" },
  ]);
  expect(logs.text()).toMatch(/"first\\nline".*\n.*"second"/);
});
