export interface Surroundings {
  env: NodeJS.ProcessEnv;
  /** Prints a result: as JSON with --json, otherwise as `text`. */
  print: (result: object, text: string, say?: (line: string) => void) => void;
}

export function asText(result: object): string {
  return Object.entries(result).map(describe).join("\n");
}

function describe([name, value]: [string, unknown]): string {
  const label = name.replaceAll("_", " ");
  if (!Array.isArray(value)) return `${label}: ${value ?? "none"}`;
  if (value.length === 0) return `${label}: none`;
  if (value.every((each) => typeof each !== "object")) return `${label}: ${value.join(", ")}`;
  return value.map(asText).join("\n\n");
}
