import type { Keys } from "../db/keys.ts";
import type { Vault } from "../shared/crypto.ts";
import { tokenPlace } from "./tokens.ts";

/**
 * What the directory has sealed: access tokens, with the fingerprint they are looked up by beside. A fresh client secret
 * that waits in a session for its page is left out: it waits for ten minutes at most.
 */
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
