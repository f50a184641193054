import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { randomToken } from "./crypto.ts";

const secretsFile = z.object({ session: z.string(), encryption: z.string(), demoPassword: z.string() });

/**
 * The secrets of a laptop's installation: `DATA_DIR/secrets.json` (mode 0600), made on first use. Two processes that
 * start at once agree on one file.
 */
export function generatedSecrets(dataDir: string): z.infer<typeof secretsFile> {
  const file = path.join(dataDir, "secrets.json");
  mkdirSync(dataDir, { recursive: true });
  if (!existsSync(file)) {
    const fresh = { session: randomToken(), encryption: randomToken(), demoPassword: readablePassword() };
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600 });
    try {
      linkSync(draft, file); // whole or not at all, and never over another process's file
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  return secretsFile.parse(JSON.parse(readFileSync(file, "utf8")));
}

/** Sixty random bits as `xxxx-xxxx-xxxx`, without letters that look alike. */
function readablePassword(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  const pick = (byte: number) => letters[byte % letters.length];
  const text = Array.from(Buffer.from(randomToken(12), "base64url"), pick).join("");
  return text.replace(/(.{4})(?=.)/g, "$1-");
}
