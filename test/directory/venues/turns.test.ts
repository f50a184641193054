import { expect, test } from "vitest";
import { dueDate, turn } from "../../../src/directory/venues/search/turns.ts";
import { tickAtEachLook } from "./ticks.ts";

async function orderOf(...batches: { name: string; listings: number }[]): Promise<string> {
  tickAtEachLook();
  const order: string[] = [];
  const work = async ({ name, listings }: { name: string; listings: number }) => {
    const due = dueDate(listings);
    for (let piece = 0; piece < 3; piece++) {
      await turn(due);
      order.push(name);
    }
  };
  await Promise.all(batches.map(work));
  return order.join("");
}

test("of two large batches, the one that began first ends first", async () => {
  expect(await orderOf({ name: "a", listings: 1000 }, { name: "b", listings: 1000 })).toBe("aaabbb");
});

test("a small batch passes a large one that began before it", async () => {
  expect(await orderOf({ name: "a", listings: 1000 }, { name: "b", listings: 10 })).toBe("bbbaaa");
});
