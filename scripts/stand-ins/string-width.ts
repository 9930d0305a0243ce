import stringWidth, {type Options} from 'string-width';
import {width} from '../../src/text/width.ts';

/** Goes into the bundle in the place of the package of that name, which Ink measures each row of each frame with. */
export default function quickWidth(text: string, options?: Options): number {
  return options === undefined ? width(text) : stringWidth(text, options);
}
