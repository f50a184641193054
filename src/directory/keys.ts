import type { Keys } from "../db/keys.ts";
import type { Vault } from "../shared/crypto.ts";
import { tokenPlace } from "./tokens.ts";

/** Excludes new client secrets in sessions, which last ten minutes. */
export const directoryKeys = (vault: Vault): Keys => ({
  schema: "directory",
  vault,
  sealed: [
    {
      table: "directory.authorization",
      column: "token_sealed",
      id: { user_id: "text", client_id: "text" },
      place: (userId, clientId) => tokenPlace({ userId, clientId }),
      beside: { column: "token_lookup", value: (token) => vault.fingerprint(token, "token") },
    },
  ],
});
