import type { FastifyInstance } from "fastify";
import type { Web } from "../deps.ts";

export function registerDraft(_app: FastifyInstance, _web: Web): void {}
