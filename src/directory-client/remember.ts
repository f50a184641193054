/** Caches `load`. Concurrent callers share a load; if it fails, each retries with its own arguments. */
export function remember<Args extends unknown[], T>(
  load: (...args: Args) => Promise<T>,
  life: (value: T) => number,
): (...args: Args) => Promise<T> {
  let known: { value: T; until: number } | undefined;
  let loading: Promise<T> | undefined;

  async function refresh(args: Args): Promise<T> {
    const value = await load(...args);
    known = { value, until: performance.now() + life(value) };
    return value;
  }

  return async (...args) => {
    if (known && performance.now() < known.until) return known.value;
    if (loading) return loading.catch(() => refresh(args));
    loading = refresh(args).finally(() => {
      loading = undefined;
    });
    return loading;
  };
}
