import { t } from "../language/translate.ts";

const UNKNOWN_AUTHORITY = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Returns what to do about a certificate of an https address that Node does not trust, or undefined for other codes. */
export const trustAdvice = (code: string | undefined): string | undefined =>
  adviceOn(
    code,
    // Node reads the file at the start of a process.
    t(
      "If the certificate is self-signed or from your own authority, set NODE_EXTRA_CA_CERTS to that authority’s file (PEM) for every process, including doctor, and restart them. Otherwise, serve the whole chain.",
    ),
  );

/** Returns what to do about the certificate of PostgreSQL, or a file for it that is not there, by the address in `setting`; undefined for other codes. */
export const databaseTrustAdvice = (code: string | undefined, setting: string): string | undefined =>
  code === "ENOENT"
    ? `Correct the path of the file (sslrootcert, sslcert or sslkey) in ${setting}.`
    : adviceOn(
        code,
        `If its authority is your own or it is self-signed, add sslrootcert=/path/to/authority.pem to ${setting}, or set NODE_EXTRA_CA_CERTS to that file.`,
      );

/** @param authority what makes an authority of one's own trusted */
function adviceOn(code: string | undefined, authority: string): string | undefined {
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return t("Serve a certificate for this name, or use the name that it is for.");
  if (code === "CERT_HAS_EXPIRED") return t("Renew the certificate.");
  if (code === "CERT_NOT_YET_VALID") return t("Correct the clocks of both machines.");
  return UNKNOWN_AUTHORITY.has(code ?? "") ? authority : undefined;
}
