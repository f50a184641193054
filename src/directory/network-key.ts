import type { Vault } from "../crypto.ts";
import { clientNetwork, type Origin } from "../http/network.ts";

/** The network of a client as it may rest in the database: keyed, and another for each purpose. */
export const networkKey = (vault: Vault, request: Origin, purpose: string): string =>
  Buffer.from(vault.fingerprint(clientNetwork(request), purpose)).toString("base64url");
