import { flushCompileCache } from "node:module";

// Programs that the tests start need not compile again what this worker has compiled for the files before.
flushCompileCache();
