import { anyWorker } from "../../harmonize/results/progress.ts";
import { filesElsewhere } from "../../harmonize/run/elsewhere.ts";
import { t } from "../../language/translate.ts";
import type { Web } from "../base/deps.ts";
import type { Finding } from "./finding.ts";

export async function lookAtWorkers({ pool }: Web): Promise<Finding> {
  if (await anyWorker(pool)) return { state: "good", words: t("A worker is running.") };
  return { state: "bad", words: t("None is running, so no file goes on. Start a process with worker in its ROLES.") };
}

/** Files are seen only by those who log in at their directory, which is known by its address. */
export async function lookAtOtherDirectories({ harmonizer }: Web): Promise<Finding | undefined> {
  const others = await filesElsewhere(harmonizer);
  if (others.length === 0) return undefined;
  const words = others.map(({ directory, files }) =>
    t("{files, plural, one {# file belongs} other {# files belong}} to the directory at {directory}.", {
      files,
      directory,
    }),
  );
  const remedy = t("If that is an earlier address of this one, set BASE_URL or API_PORT to it to see them again.");
  return { state: "warning", words: [...words, remedy].join(" ") };
}
