import path from "node:path";
import type { TestProject } from "vitest/node";
import { installClients } from "./install.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Why the clients are not installed; the tests fail with it. */
    clientsProblem: string | undefined;
  }
}

/** Installs other projects' clients from the npm registry. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide("clientsProblem", await installClients(path.resolve(import.meta.dirname)));
}
