const UNKNOWN_AUTHORITY = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/**
 * Returns what to do about a certificate that Node does not trust, or undefined for other codes.
 *
 * @param authority what makes an authority of one's own trusted
 */
export function trustAdvice(code: string | undefined, authority: string): string | undefined {
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return "Serve a certificate for this name, or use the name that it is for.";
  if (code === "CERT_HAS_EXPIRED") return "Renew the certificate.";
  if (code === "CERT_NOT_YET_VALID") return "Correct the clocks of both machines.";
  return UNKNOWN_AUTHORITY.has(code ?? "") ? authority : undefined;
}

/** For https. Node reads the file at the start of a process. */
export const NODE_AUTHORITY =
  "If its authority is your own or it is self-signed, set NODE_EXTRA_CA_CERTS to the authority's file (PEM) for every process, " +
  "doctor too, and restart them; otherwise serve the whole chain.";

/** For PostgreSQL. */
export const databaseAuthority = (setting: string) =>
  `If its authority is your own or it is self-signed, add sslrootcert=/path/to/authority.pem to ${setting}, or set NODE_EXTRA_CA_CERTS to that file.`;
