import { afterAll, beforeEach } from "vitest";
import { createLogger } from "../../../src/http/logger.ts";
import { currentCredentials } from "../../../src/web/client-secret/credentials.ts";
import { createSecretKeeper } from "../../../src/web/client-secret/keeper.ts";
import { rotateSecret } from "../../../src/web/client-secret/rotate.ts";
import { createWeb } from "../../../src/web/create-web.ts";
import { resetSecrets } from "../../support/fake-directory/fake-secrets.ts";
import { collectLogs } from "../../support/logs.ts";
import { newMember } from "../admin/browser.ts";
import { startWeb } from "../web-app.ts";

/**
 * Sets up the web app at a fake directory where secrets can be rotated, and the job of housekeeping, without its timer.
 * Each test starts with the first secret and no history. Call it at the top of a test file.
 */
export async function secretKeeper({ deadlineMs = 400 } = {}) {
  const app = await startWeb();
  const { directory, database, config } = app;
  const logs = collectLogs();
  const log = createLogger({ level: "trace", destination: logs });
  const web = createWeb({ config, database, address: config.databaseUrl ?? "", log, deadlineMs });
  afterAll(web.close);
  let accountId = "";
  beforeEach(async () => {
    directory.reset();
    directory.offerSecrets();
    resetSecrets(directory.client);
    logs.lines.length = 0;
    await database.prisma.clientCredential.deleteMany();
    accountId = (await newMember(app, "Ada")).id;
  });
  return {
    ...{ app, web, directory, database, config, logs, log },
    newKeeper: () => createSecretKeeper(web, log),
    inUse: async () => (await currentCredentials(web)).clientSecret,
    /** Like the button, with an overlap of an hour. */
    async rotate({ endsEarly = true } = {}): Promise<void> {
      const { id } = await currentCredentials(web);
      await rotateSecret(web, { accountId, ifInUse: id ?? "settings", overlapSeconds: 3600, endsEarly });
    },
  };
}
