// `prisma generate` needs no schema engine, yet its CLI wants to download one. Any executable
// satisfies the check, so that `npm ci` works without the open internet.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

import { defineConfig } from "prisma/config";

export default defineConfig({ schema: "prisma/schema.prisma", migrations: { path: "prisma/migrations" } });
