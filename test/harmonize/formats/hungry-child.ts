// Takes memory as a decoder of a hostile file would, under the same watch as src/files/formats/reader.ts.
import { Worker } from "node:worker_threads";

const WAYS: Record<string, () => unknown> = {
  "buffers one after another": () => Array.from({ length: 4000 }, () => new Uint8Array(1024 * 1024).fill(1)),
  "one buffer": () => new Uint8Array(3 * 1024 ** 3).fill(1),
  "a list that grows": () => {
    const list: number[] = [];
    for (;;) list.push(list.length + 0.5);
  },
  "a map that grows": () => {
    const map = new Map<number, number>();
    for (;;) map.set(map.size, 0);
  },
  "a text that is split": () => "a,".repeat(200e6).split(","),
  "no end": () => {
    for (;;);
  },
};

const { parent, way } = JSON.parse(process.argv[2] ?? "{}");
const watch = { parent: parent ?? process.ppid, cpuSeconds: way === "no end" ? 1 : 1000 };
const thread = new Worker(new URL("../../../src/files/formats/reader-watch.ts", import.meta.url), {
  workerData: watch,
});
thread.once("online", () => {
  WAYS[way]?.();
  if (WAYS[way]) process.exit(); // nobody ended it
});
