import type { FastifyInstance } from "fastify";
import type { Web } from "../deps.ts";

export async function registerUpload(_app: FastifyInstance, _web: Web): Promise<void> {}
