import { clientNetwork, type Origin } from "../http/network.ts";
import type { Vault } from "../shared/crypto.ts";

/** Returns a keyed fingerprint of the client's network, different for each purpose. */
export const networkKey = (vault: Vault, request: Origin, purpose: string): string =>
  Buffer.from(vault.fingerprint(clientNetwork(request), purpose)).toString("base64url");
