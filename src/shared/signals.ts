/** Those that end a process in order. SIGHUP is also the end of a terminal. */
export const END_SIGNALS = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"] as const;
export type EndSignal = (typeof END_SIGNALS)[number];
