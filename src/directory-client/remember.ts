/**
 * Remembers what `load` brings, for as many milliseconds as `life` says. Callers at the same time share one load; when it fails each of the
 * others tries for itself, because the failure may lie with the first one's arguments.
 */
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
