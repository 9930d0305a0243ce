type Layer<Value> = ReadonlyMap<string, Value>;

/** The last layer is copied when a value changes, so a change costs the same however many there are. */
const MOST_COPIED = 32;

/** An immutable map of values by their id, in the order in which they were added: what `with` returns shares all but its last layers with the original. */
export class IdMap<Value extends {readonly id: string}> implements Iterable<Value> {
  static readonly empty = new IdMap<never>([]);

  /** A value is as in the last layer that has it. Each layer is at least twice as large as the next one. */
  readonly #layers: readonly Layer<Value>[];

  private constructor(layers: readonly Layer<Value>[]) {
    this.#layers = layers;
  }

  static from<Value extends {readonly id: string}>(values: Iterable<Value>): IdMap<Value> {
    return new IdMap([new Map(Array.from(values, (value) => [value.id, value]))]);
  }

  get(id: string): Value | undefined {
    return this.#layers.findLast((layer) => layer.has(id))?.get(id);
  }

  with(value: Value): IdMap<Value> {
    const last = this.#layers.at(-1);
    const isFull = last === undefined || last.size >= MOST_COPIED;
    const layer = new Map<string, Value>(isFull ? [] : last).set(value.id, value);
    return new IdMap([...(isFull ? joined(this.#layers) : this.#layers.slice(0, -1)), layer]);
  }

  *[Symbol.iterator](): Generator<Value> {
    yield* this.#layers.reduce<Layer<Value>>(joinedLayer, new Map()).values();
  }

  /** As JSON, a plain list. */
  toJSON(): readonly Value[] {
    return [...this];
  }
}

/** Joins the last layers until each is at least twice as large as the next one. */
function joined<Value>(layers: readonly Layer<Value>[]): readonly Layer<Value>[] {
  const [before, last] = layers.slice(-2);
  if (before === undefined || last === undefined || before.size >= 2 * last.size) return layers;
  return joined([...layers.slice(0, -2), joinedLayer(before, last)]);
}

function joinedLayer<Value>(before: Layer<Value>, after: Layer<Value>): Layer<Value> {
  return new Map([...before, ...after]);
}
