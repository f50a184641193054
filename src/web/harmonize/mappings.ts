import type { FastifyInstance } from "fastify";
import type { Web } from "../deps.ts";

export function registerMappings(_app: FastifyInstance, _web: Web): void {}
