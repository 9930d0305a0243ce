/** Resolves to the promise's value, or undefined after `milliseconds`. Rejects if the promise does. */
export async function settledWithin<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  const {promise: late, resolve} = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, milliseconds, undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when a signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<undefined> {
  const {promise, resolve} = Promise.withResolvers<unknown>();
  if (signal.aborted) return;
  signal.addEventListener('abort', resolve, {once: true});
  await promise;
}
