import { register } from "prom-client";

/** Sums a counter or gauge of this process, or the number of values of a histogram, by one of its labels; `only` those with other labels. */
export async function figuresOf(
  name: string,
  label: string,
  only: Record<string, string> = {},
): Promise<Map<string, number>> {
  const metric = await register.getSingleMetric(name)?.get();
  const figures = new Map<string, number>();
  for (const { labels, value, ...more } of metric?.values ?? []) {
    if ("metricName" in more && more.metricName !== `${name}_count`) continue; // buckets and sum of a histogram
    if (Object.entries(only).some(([other, wanted]) => labels[other] !== wanted)) continue;
    const key = String(labels[label] ?? "");
    figures.set(key, (figures.get(key) ?? 0) + value);
  }
  return figures;
}
