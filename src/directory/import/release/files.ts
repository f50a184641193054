import { glob, stat } from "node:fs/promises";
import path from "node:path";
import { badRequest } from "../../../shared/errors.ts";

/** Lists the files in the order of their names, those in folders of a folder too. Throws KnownError 400 if there are none. */
export async function releaseFiles(name: string): Promise<string[]> {
  const info = await stat(name).catch(() => undefined);
  if (info?.isFile()) return [name];
  const files: string[] = [];
  for await (const file of info ? glob("**/*", { cwd: name }) : glob(name))
    if (isParquet(file)) files.push(info ? path.join(name, file) : file);
  if (files.length === 0) throw badRequest(`There is no Parquet file (*.parquet) at ${name}.`);
  return files.sort();
}

export const isParquet = (name: string) => /\.parquet$/i.test(name);

/** Recognizes the edition in paths as the releases have them: `release/2026-11-18.0/theme=places`, `dt=2026-11-06`. */
export function editionIn(name: string): string | undefined {
  return /(?:^|[/=])(\d{4}-\d{2}(?:-\d{2}(?:\.\d+)?)?)(?=\/|$)/.exec(path.resolve(name).replaceAll(path.sep, "/"))?.[1];
}
