import {Text, useInput, usePaste} from 'ink';
import {render} from 'ink-testing-library';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {fromInk, pasteFromInk, combinationOf, type KeyEvent} from '../../../src/app/input/keys.ts';
import {createInputFilter} from '../../../src/app/input/input-filter.ts';
import {actionFor} from '../../../src/app/keymap/keymap.ts';

const received: KeyEvent[] = [];

function Listener() {
  useInput((input, key) => {
    const event = fromInk(input, key, 7);
    if (event) received.push(event);
  });
  usePaste((text) => received.push(pasteFromInk(text, 7)));
  return <Text>ready</Text>;
}

const terminal = render(<Listener />);

beforeAll(async () => {
  // Ink listens after its first effects.
  await new Promise(setImmediate);
});
afterAll(terminal.unmount);

/** The events from the filter and Ink for bytes from a terminal. */
function eventsOf(...chunks: readonly string[]): readonly KeyEvent[] {
  received.length = 0;
  const filter = createInputFilter();
  const texts = [...chunks.flatMap((chunk) => filter.push(chunk)), ...filter.flush()];
  for (const text of texts) terminal.stdin.write(text);
  return [...received];
}

function combinationsOf(...chunks: readonly string[]): readonly (string | undefined)[] {
  return eventsOf(...chunks).map((event) => (event.kind === 'key' ? combinationOf(event) : 'paste'));
}

describe('keys', () => {
  it.each([
    ['enter', ['\r', '\x1b[13u', '\x1bOM', '\x1b[57414u']],
    ['shift+enter', ['\x1b[13;2u', '\x1b[27;2;13~']],
    ['alt+enter', ['\x1b\r', '\x1b[13;3u', '\x1b[27;3;13~']],
    ['ctrl+enter', ['\x1b[13;5u', '\x1b[27;5;13~']],
    ['ctrl+j', ['\n', '\x1b[106;5u', '\x1b[27;5;106~']],
    ['escape', ['\x1b', '\x1b[27u', '\x1b[27;1u']],
    ['tab', ['\t', '\x1b[9u']],
    ['shift+tab', ['\x1b[Z', '\x1b[9;2u', '\x1b[27;2;9~']],
    ['backspace', ['\x7f', '\b', '\x1b[127u']],
    ['alt+backspace', ['\x1b\x7f', '\x1b[127;3u']],
    ['ctrl+backspace', ['\x1b[127;5u']],
    ['delete', ['\x1b[3~']],
    ['up', ['\x1b[A', '\x1bOA', '\x1b[1;1:1A', '\x1b[57419u']],
    ['alt+up', ['\x1b[1;3A', '\x1b\x1b[A']],
    ['ctrl+left', ['\x1b[1;5D', '\x1bOd']],
    ['ctrl+right', ['\x1b[1;5C', '\x1bOc']],
    ['home', ['\x1b[H', '\x1bOH', '\x1b[1~', '\x1b[7~']],
    ['end', ['\x1b[F', '\x1bOF', '\x1b[4~', '\x1b[8~']],
    ['pageup', ['\x1b[5~', '\x1b[[5~']],
    ['pagedown', ['\x1b[6~']],
    ['ctrl+c', ['\x03', '\x1b[99;5u', '\x1b[1089::99;5u']],
    ['ctrl+d', ['\x04', '\x1b[100;5u']],
    ['ctrl+_', ['\x1f', '\x1b[95;5u', '\x1b[45;6u']],
    ['alt+_', ['\x1b_', '\x1b[95;3u', '\x1b[45;4u']],
    ['ctrl+/', ['\x1b[47;5u']],
    ['ctrl+space', ['\0', '\x1b[32;5u']],
    ['alt+b', ['\x1bb', '\x1b[98;3u']],
    ['alt+<', ['\x1b<', '\x1b[60;3u']],
    ['alt+[', ['\x1b[', '\x1b[91;3u']],
    ['space', [' ']],
    ['é', ['é']],
    ['?', ['?']],
    ['shift+y', ['Y']],
  ])('%s is the same from every terminal', (combination, spellings) => {
    for (const spelling of spellings)
      expect([JSON.stringify(spelling), ...combinationsOf(spelling)]).toEqual([
        JSON.stringify(spelling),
        combination,
      ]);
  });

  it('carry text only when they are typed alone', () => {
    const texts = (bytes: string) => eventsOf(bytes).map((event) => event.kind === 'key' && event.text);
    expect(texts('a')).toEqual(['a']);
    expect(texts('A')).toEqual(['A']);
    expect(texts(' ')).toEqual([' ']);
    expect(texts('漢')).toEqual(['漢']);
    expect(texts('\x1ba')).toEqual(['']);
    expect(texts('\x01')).toEqual(['']);
    expect(texts('\r')).toEqual(['']);
  });

  it('are not made of releases, of Super, or of keys without a name', () => {
    expect(combinationsOf('\x1b[97;1:3u', '\x1b[107;9u', '\x1b[11~', '\x1b[2~', '\x1b[57441u')).toEqual([]);
  });

  it('say when they were pressed', () => {
    expect(eventsOf('a')).toEqual([
      {kind: 'key', name: 'a', text: 'a', ctrl: false, alt: false, shift: false, at: 7},
    ]);
  });
});

describe('text and pastes', () => {
  it('arrive as text and as one paste', () => {
    expect(eventsOf('two words')).toMatchObject([{kind: 'key', name: undefined, text: 'two words'}]);
    expect(eventsOf('👩‍👩‍👧')).toMatchObject([{kind: 'key', name: undefined, text: '👩‍👩‍👧'}]);
    expect(eventsOf('\x1b[200~one\rtwo\x1b[A', '\x1b[201~')).toEqual([
      {kind: 'paste', text: 'one\rtwo\x1b[A', at: 7},
    ]);
  });

  it('submit only with an Enter at the end', () => {
    expect(combinationsOf('hello\r')).toEqual([undefined, 'enter']);
    expect(combinationsOf('one\rtwo\r')).toEqual(['paste']);
  });
});

describe('what keys do', () => {
  const press = (context: Parameters<typeof actionFor>[0], bytes: string) => {
    const [event] = eventsOf(bytes);
    return event?.kind === 'key' ? actionFor(context, event) : undefined;
  };

  it('depends on the context, and Escape and Ctrl+C are everywhere', () => {
    expect(press('prompt', '\r')).toBe('send');
    expect(press('request', '\r')).toBe('confirm');
    expect(press('prompt', 'y')).toBeUndefined();
    expect(press('request', 'y')).toBe('allow_once');
    expect(press('picker', '\x1b')).toBe('cancel_or_back');
    expect(press('overlay', '\x03')).toBe('clear_cancel_or_leave');
  });

  it('does not change by a Shift held by accident, except with Ctrl and a letter', () => {
    expect(press('prompt', '\x1b[127;2u')).toBe('delete_backward');
    expect(press('prompt', '\x1b[1;2D')).toBe('move_left');
    expect(press('request', 'Y')).toBe('allow_once');
    expect(press('prompt', '\x1b[99;6u')).toBeUndefined();
  });
});
