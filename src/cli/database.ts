import { type Command, InvalidArgumentError } from "commander";
import { readConfig } from "../config/config.ts";
import { type Distribution, distribute } from "../db/citus/distribute.ts";
import { migrate } from "../db/migrate.ts";
import { separatePrograms } from "../db/roles.ts";
import type { Surroundings } from "./output.ts";
import { ownConnection, type Server, withServer } from "./with-directory.ts";

/** Enough for growth to some thirty nodes; Citus moves whole shards. */
const SHARDS = 32;
const MOST_SHARDS = 1024;

export function addDatabaseCommand(program: Command, { env, print }: Surroundings): void {
  program
    .command("database")
    .description("the database on several servers")
    .command("distribute")
    .description("distribute the venues over the nodes of a Citus cluster, while no server runs")
    .option(
      "--shards <n>",
      `parts to distribute, best a multiple of the nodes (default: ${SHARDS})`,
      parseShards,
      SHARDS,
    )
    .addHelpText("after", "\nThe only way back is to restore a backup. See Citus in docs/scaling.md.")
    .action(async ({ shards }: { shards: number }) => {
      const result = await withServer(readConfig(env, { listens: false }), (server) => distributeOn(server, shards));
      print(result, textOf(result));
    });
}

async function distributeOn(server: Server, shards: number): Promise<Distribution> {
  await migrate(server.url);
  const client = await ownConnection(server, "distribute");
  const result = await distribute(client, shards);
  await separatePrograms(server.url);
  return result;
}

const textOf = ({ venues, shards, nodes }: Distribution) =>
  `Distributed ${venues} venues in ${shards} shards over ${nodes.join(", ")}. The servers can start again.`;

function parseShards(value: string): number {
  const shards = Number(value);
  if (!Number.isInteger(shards) || shards < 1 || shards > MOST_SHARDS)
    throw new InvalidArgumentError(`--shards takes a number from 1 to ${MOST_SHARDS}.`);
  return shards;
}
