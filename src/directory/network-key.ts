import { clientNetwork, type Origin } from "../http/network.ts";
import type { Vault } from "../shared/crypto.ts";

/** The network of a client as the database may hold it: a keyed fingerprint, another one for each purpose. */
export const networkKey = (vault: Vault, request: Origin, purpose: string): string =>
  Buffer.from(vault.fingerprint(clientNetwork(request), purpose)).toString("base64url");
