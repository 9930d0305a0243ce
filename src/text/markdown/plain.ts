import {wrap} from '../wrap.ts';
import type {Block} from './style.ts';

/** The source of a block as it is, wrapped, without blank lines around it. */
export function plainLines({source}: Block, columns: number): string[] {
  const text = source.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  return text === '' ? [] : wrap(text, columns);
}
