import type { FastifyInstance } from "fastify";
import type { Web } from "../deps.ts";

export function registerExport(_app: FastifyInstance, _web: Web): void {}
