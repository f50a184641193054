import { Agent, type Dispatcher } from "undici";

/** Connections to a directory. */
export const createOutbound = (): Dispatcher => new Agent();
