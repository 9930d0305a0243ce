import stringWidth, {type Options} from 'string-width';
import {width} from '../../src/text/width.ts';

/** Replaces the package of that name in the bundle, with which Ink measures each row of each frame. */
export default function quickWidth(text: string, options?: Options): number {
  return options === undefined ? width(text) : stringWidth(text, options);
}
