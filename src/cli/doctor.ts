import { existsSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { type Config, ConfigError, readConfig } from "../config/config.ts";
import { examine } from "../doctor/doctor.ts";
import { KnownError } from "../shared/errors.ts";
import { type Finding, problem, warning } from "../shared/finding.ts";
import type { Surroundings } from "./output.ts";
import { withServer } from "./with-directory.ts";
import { counted } from "./words.ts";

export function addDoctorCommand(program: Command, { env, print }: Surroundings): void {
  program
    .command("doctor")
    .description(
      "check settings and surroundings: addresses, certificates, proxy, clocks, database, keys, worker, backups",
    )
    .addHelpText(
      "after",
      "\nExits with code 1 if there is a problem. Prints no secrets. Run it with the server's settings.",
    )
    .action(async () => {
      const findings = await examineAll(env);
      const problems = findings.filter(({ state }) => state === "problem").length;
      const warnings = findings.filter(({ state }) => state === "warning").length;
      if (problems > 0) process.exitCode ??= 1;
      const end = `${counted(problems, "problem")}, ${counted(warnings, "warning")}.`;
      print({ ok: problems === 0, findings }, [...findings.map(lineOf), end].join("\n"));
    });
}

async function examineAll(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((each) =>
      problem("Settings", each, "Correct it (.env.example), and run samespot doctor again."),
    );
  }
  const isNew = !["pg", "pg.home"].some((name) => existsSync(path.join(config.dataDir, name)));
  if (config.databaseUrl === undefined && isNew)
    return [
      warning(
        "Database",
        `There is none yet in ${config.dataDir}.`,
        "Start Samespot, or set DATA_DIR or DATABASE_URL.",
      ),
    ];
  const isEmbedded = config.databaseUrl === undefined;
  return withServer(config, ({ url }) => examine(config, url)).catch((error) => {
    if (!isEmbedded || error instanceof KnownError) throw error; // interrupted
    return examine(config, error);
  });
}

function lineOf({ name, state, words, todo }: Finding): string {
  const line = `${state.padEnd(7)}  ${name}: ${words}`;
  return todo === undefined ? line : `${line}\n${" ".repeat(9)}→ ${todo}`;
}
