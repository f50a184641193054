import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage<string>();

/** Runs `work` with the id of the request or task that it belongs to. Calls to the directory carry it. */
export const withRequestId = <T>(id: string, work: () => T): T => current.run(id, work);

export const currentRequestId = (): string | undefined => current.getStore();
