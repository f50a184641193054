import type { Command } from "commander";
import { finishMigrations } from "../db/migrate.ts";
import { renormalizeVenues } from "../directory/venues/renormalize.ts";
import { whenGone } from "./patience.ts";
import type { Run } from "./with-directory.ts";

export function addMigrateCommand(program: Command, run: Run): void {
  program
    .command("migrate")
    .description("migrate the database to this version, and wait until its indexes are built")
    .action(() =>
      run(async ({ applied, database, urls, signal }) => {
        const indexes = await finishMigrations(urls.owner, { log: console.error, signal });
        const venues_renormalized = await renormalizeVenues(database.pool, { waits: true }).catch(
          whenGone("Finished work is kept. Run the command again to continue."),
        );
        return { applied: [...applied, ...indexes], venues_renormalized };
      }),
    );
}
