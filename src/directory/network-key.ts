import type { Vault } from "../crypto.ts";
import { clientNetwork, type Origin } from "../http/network.ts";

/** The network of a client as the database may hold it: a keyed fingerprint, another one for each purpose. */
export const networkKey = (vault: Vault, request: Origin, purpose: string): string =>
  Buffer.from(vault.fingerprint(clientNetwork(request), purpose)).toString("base64url");
