/** Chunk size. A chunk is copied when one of its items changes, so a change costs the same in every list. */
const CHUNK = 256;

/**
 * An immutable list: the results of `append` and `with` share all chunks but one with the original. An array would be copied as a whole for every event, which
 * makes a long transcript quadratic. Reads like an array, but with `get` instead of `[]`.
 */
export class List<Item> implements Iterable<Item> {
  readonly length: number;
  readonly #chunks: readonly (readonly Item[])[];

  private constructor(chunks: readonly (readonly Item[])[], length: number) {
    this.#chunks = chunks;
    this.length = length;
  }

  static from<Item>(items: readonly Item[]): List<Item> {
    const chunks: (readonly Item[])[] = [];
    for (let start = 0; start < items.length; start += CHUNK) chunks.push(items.slice(start, start + CHUNK));
    return new List(chunks, items.length);
  }

  append(item: Item): List<Item> {
    const last = this.#chunks.at(-1);
    const chunks =
      last === undefined || last.length === CHUNK
        ? [...this.#chunks, [item]]
        : [...this.#chunks.slice(0, -1), [...last, item]];
    return new List(chunks, this.length + 1);
  }

  /** Returns the list with the item at that index replaced; throws a RangeError if there is none. */
  with(index: number, item: Item): List<Item> {
    const place = Math.floor(index / CHUNK);
    const chunk = this.#chunks[place] ?? [];
    return new List(this.#chunks.with(place, chunk.with(index % CHUNK, item)), this.length);
  }

  /** Returns the item at that index, from 0; undefined if there is none. */
  get(index: number): Item | undefined {
    return this.#chunks[Math.floor(index / CHUNK)]?.[index % CHUNK];
  }

  /** Like `get`; negative indices count from the end. */
  at(index: number): Item | undefined {
    return this.get(index < 0 ? this.length + index : index);
  }

  *[Symbol.iterator](): Generator<Item> {
    for (const chunk of this.#chunks) yield* chunk;
  }

  findLastIndex(test: (item: Item) => boolean): number {
    for (let place = this.#chunks.length - 1; place >= 0; place--) {
      const index = this.#chunks[place]?.findLastIndex(test) ?? -1;
      if (index !== -1) return place * CHUNK + index;
    }
    return -1;
  }

  findLast<Kind extends Item>(test: (item: Item) => item is Kind): Kind | undefined;
  findLast(test: (item: Item) => boolean): Item | undefined;
  findLast(test: (item: Item) => boolean): Item | undefined {
    return this.get(this.findLastIndex(test));
  }

  find<Kind extends Item>(test: (item: Item) => item is Kind): Kind | undefined;
  find(test: (item: Item) => boolean): Item | undefined;
  find(test: (item: Item) => boolean): Item | undefined {
    for (const chunk of this.#chunks) {
      const index = chunk.findIndex(test);
      if (index !== -1) return chunk[index];
    }
    return undefined;
  }

  some(test: (item: Item) => boolean): boolean {
    return this.#chunks.some((chunk) => chunk.some(test));
  }

  filter<Kind extends Item>(test: (item: Item) => item is Kind): Kind[];
  filter(test: (item: Item) => boolean): Item[];
  filter(test: (item: Item) => boolean): Item[] {
    return this.toJSON().filter(test);
  }

  map<Value>(change: (item: Item, index: number) => Value): Value[] {
    return this.toJSON().map(change);
  }

  flatMap<Value>(change: (item: Item, index: number) => Value | readonly Value[]): Value[] {
    return this.toJSON().flatMap(change);
  }

  /** Like an array's; its cost is that of the returned items. */
  slice(start = 0, end = this.length): Item[] {
    const place = (index: number) =>
      Math.min(this.length, index < 0 ? Math.max(0, this.length + index) : index);
    const [from, to] = [place(start), place(end)];
    const items: Item[] = [];
    for (let index = from; index < to; index++) items.push(this.get(index) as Item);
    return items;
  }

  /** All items as an array. */
  toJSON(): Item[] {
    return this.#chunks.flat();
  }
}
