import { onTestFinished, vi } from "vitest";

let now = 0;

/** Advances the clock of this process by more than a millisecond each time it is looked at, until the test ends. */
export function tickAtEachLook(): void {
  now = Math.max(now, performance.now());
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    now += 1.1;
    return now;
  });
  onTestFinished(() => clock.mockRestore());
}
