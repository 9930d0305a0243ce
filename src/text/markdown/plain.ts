import {wrap} from '../wrap.ts';
import type {Block} from './style.ts';

/** Returns the wrapped source of a block, without surrounding blank lines. */
export function plainLines({source}: Block, columns: number): string[] {
  const text = source.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  return text === '' ? [] : wrap(text, columns);
}
