import {randomInt} from 'node:crypto';

/** Words of a prompt that are used for a name. */
const MAX_WORDS = 5;
const MAX_LENGTH = 40;

/** What a name may be: also a part of a branch's, and of a folder's. */
export const WORKTREE_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.|$|lock$)){0,59}$/;

/** Returns a name from the first words of a prompt; one of its own without any. */
export function nameFrom(prompt: string | undefined): string {
  const plain = (prompt ?? '').slice(0, 500).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = plain.match(/[a-z0-9]+/g) ?? [];
  const name = words
    .slice(0, MAX_WORDS)
    .join('-')
    .slice(0, MAX_LENGTH)
    .replace(/(?<!-)-+$/, '');
  return name === '' ? `${oneOf(HOW)}-${oneOf(WHAT)}` : name;
}

function oneOf(words: readonly string[]): string {
  return words[randomInt(words.length)] ?? '';
}

const HOW =
  'amber brave calm clear early fine gentle green keen late light lucky mild quick quiet warm'.split(' ');
const WHAT = 'brook cedar cloud creek dune elm fern field fox heron lake maple moss otter reed wren'.split(
  ' ',
);
