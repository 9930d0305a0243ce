/** Caches the result per argument, so that readers get the same reference as long as that part of the state is unchanged. */
export function memoize<Source extends object, Value>(compute: (source: Source) => Value) {
  const values = new WeakMap<Source, Value>();
  return (source: Source): Value => {
    const known = values.get(source);
    if (known !== undefined) return known;
    const value = compute(source);
    values.set(source, value);
    return value;
  };
}
