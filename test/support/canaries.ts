/** Shorter ones would match by chance. */
const SHORTEST_SECRET = 8;

/**
 * Throws if a haystack contains a secret: as it is, percent-encoded (whole or in part), in hex, or inside base64 or base64url, such
 * as a Basic header. Both are given by name; the message names secret, haystack and form, and never quotes the secret.
 */
export function expectNoSecrets(haystacks: Record<string, string>, secrets: Record<string, string[]>): void {
  if (Object.values(haystacks).every((text) => text === "")) throw new Error("There is no text to search.");
  const finds: string[] = [];
  for (const [place, text] of Object.entries(haystacks)) {
    const texts = { clear: text, decoded: unescaped(text), lowerCase: text.toLowerCase() };
    for (const [kind, values] of Object.entries(secrets)) {
      if (values.length === 0) throw new Error(`There is no ${kind} to look for.`);
      if (values.some((value) => value.length < SHORTEST_SECRET))
        throw new Error(`The ${kind} is too short to look for.`);
      const forms = new Set(values.flatMap((secret) => formsIn(texts, secret)));
      for (const form of forms) finds.push(`${kind} in ${place}, ${form}`);
    }
  }
  if (finds.length > 0) throw new Error(`Secrets were found:\n${finds.join("\n")}`);
}

function formsIn(texts: { clear: string; decoded: string; lowerCase: string }, secret: string): string[] {
  const bytes = Buffer.from(secret);
  const isIn = (needle: string) => texts.clear.includes(needle);
  const checks: [form: string, found: boolean][] = [
    ["in clear", isIn(secret) || isIn(JSON.stringify(secret).slice(1, -1))],
    ["percent-encoded", !isIn(secret) && texts.decoded.includes(secret)],
    ["in hex", texts.lowerCase.includes(bytes.toString("hex"))],
    ["in base64", insideBase64(bytes, "base64").some(isIn)],
    ["in base64url", insideBase64(bytes, "base64url").some(isIn)],
  ];
  return checks.filter(([, found]) => found).map(([form]) => form);
}

/** Decodes once and twice, with `+` also as a space. Leaves bytes that are not text alone. */
function unescaped(text: string): string {
  const once = decode(text);
  return [once, decode(once), decode(text.replaceAll("+", " "))].join("\n");
}

const decode = (text: string) =>
  text.replace(/(%[0-9a-f]{2})+/gi, (escapes) => Buffer.from(escapes.replaceAll("%", ""), "hex").toString());

/** Encodes the bytes as inside a longer text, for each of three offsets in a group of three bytes. */
function insideBase64(bytes: Buffer, encoding: "base64" | "base64url"): string[] {
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString(encoding)
      .replace(/=+$/, "");
    const isCutOff = (shift + bytes.length) % 3 !== 0; // the last character depends on what follows
    return encoded.slice(shift === 0 ? 0 : shift + 1, isCutOff ? -1 : undefined);
  });
}
