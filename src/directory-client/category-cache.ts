import type { Auth } from "./answers.ts";

/**
 * Remembers what `load` brings for `milliseconds`. Callers at the same time share one load; when it fails each of the
 * others tries for itself, because the failure may lie with the first one's credentials.
 */
export function remember<T>(load: (auth: Auth) => Promise<T>, milliseconds: number): (auth: Auth) => Promise<T> {
  let known: { value: T; until: number } | undefined;
  let loading: Promise<T> | undefined;

  async function refresh(auth: Auth): Promise<T> {
    const value = await load(auth);
    known = { value, until: performance.now() + milliseconds };
    return value;
  }

  return async (auth) => {
    if (known && performance.now() < known.until) return known.value;
    if (loading) return loading.catch(() => refresh(auth));
    loading = refresh(auth).finally(() => {
      loading = undefined;
    });
    return loading;
  };
}
