import type { FastifyInstance } from "fastify";
import type { Web } from "../deps.ts";

export function registerAddAsNew(_app: FastifyInstance, _web: Web): void {}
