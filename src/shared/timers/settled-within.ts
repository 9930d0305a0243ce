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

/** Resolves to the promise's value, or undefined once the signal is aborted. Rejects if the promise does. */
export async function settledUnless<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const {promise: over, resolve} = Promise.withResolvers<undefined>();
  const stop = () => resolve(undefined);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, {once: true});
  try {
    return await Promise.race([promise, over]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
