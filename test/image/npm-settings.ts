import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { NPM_AUTHORITIES, NPM_SETTINGS } from "./base.ts";
import { run } from "./command.ts";

/** Settings of where packages come from: registry, log-in, proxies, certificates. */
const ABOUT_REGISTRY = /^(registry|@[^=]+:registry|\/\/[^=]+|proxy|https-proxy|noproxy|strict-ssl|ca(\[\])?)\s*=/;
const IN_ENVIRONMENT = /^npm_config_(registry|proxy|https_proxy|noproxy|strict_ssl)$/i;

/** Returns options of `buildah build` that lend this machine's npm settings to the RUN steps, but keep them out of the image. */
export function npmSettings(folder: string): string[] {
  const files = ["globalconfig", "userconfig"].map(npmConfig).filter((file) => existsSync(file));
  const lines = files
    .flatMap((file) => readFileSync(file, "utf8").split("\n"))
    .filter((line) => ABOUT_REGISTRY.test(line));
  for (const [name, value] of Object.entries(process.env))
    if (value && IN_ENVIRONMENT.test(name)) lines.push(`${name.slice(11).toLowerCase().replaceAll("_", "-")}=${value}`);
  // npm looks for its global file beside Node, and ours comes from npm: there only Node's own setting may name them.
  const authorities = [npmConfig("cafile"), process.env.NODE_EXTRA_CA_CERTS ?? ""].find((name) => existsSync(name));
  if (authorities) lines.push(`cafile=${NPM_AUTHORITIES}`);
  const file = path.join(folder, "npmrc");
  const filledIn = lines.join("\n").replace(/\$\{(\w+)\}/g, (whole, name) => process.env[name] ?? whole);
  writeFileSync(file, `${filledIn}\n`, { mode: 0o600 });
  const lend = (from: string, to: string) => ["--volume", `${from}:${to}:ro`];
  return [...lend(file, NPM_SETTINGS), ...(authorities ? lend(authorities, NPM_AUTHORITIES) : [])];
}

const npmConfig = (name: string) => run("npm", ["config", "get", name]);
