import {hasSimpleGraphemes} from '../../src/text/simple-text.ts';

type Given = ConstructorParameters<typeof Intl.Segmenter>;
type Segment = Pick<Intl.SegmentData, 'segment' | 'index' | 'input'>;

/**
 * Replaces `Intl.Segmenter` in the bundle. Ink splits every row of every frame into graphemes, and most rows need no
 * segmenter for that; each package that draws creates one when it is loaded, and the first one costs 10 ms.
 */
export class Segmenter {
  readonly #given: Given;
  #real: Intl.Segmenter | undefined;

  constructor(...given: Given) {
    this.#given = given;
  }

  segment(text: string): Pick<Intl.Segments, 'containing'> & Iterable<Segment> {
    const {granularity = 'grapheme'} = this.#given[1] ?? {};
    if (granularity === 'grapheme' && hasSimpleGraphemes(text)) return simpleSegments(text);
    this.#real ??= new globalThis.Intl.Segmenter(...this.#given);
    return this.#real.segment(text);
  }
}

function simpleSegments(input: string): ReturnType<Segmenter['segment']> {
  const at = (index: number): Segment => ({segment: input.charAt(index), index, input});
  return {
    containing: (index = 0) => (index >= 0 && index < input.length ? at(Math.trunc(index)) : undefined),
    *[Symbol.iterator]() {
      for (let index = 0; index < input.length; index++) yield at(index);
    },
  };
}
