import {outputBlock} from '../../../../src/session/queue/command-output.ts';
import {promptText} from '../../../../src/session/transcript/content.ts';
import {describe, expect, it} from 'vitest';
import {isPasted, promptBlock, withPlaceholders} from '../../../../src/session/content/pasted-text.ts';

const prompt = (text: string, ...pastes: readonly string[]) =>
  promptBlock(
    text,
    pastes.map((pasted) => ({text: pasted})),
  );
const shown = (block: object) => withPlaceholders(block as {text: string});

describe('a prompt with large pastes', () => {
  it('is sent as it is, and shown with their placeholders', () => {
    const text = 'Compare a\nb and a\nb with xyz.';
    expect(prompt(text, 'a\nb', 'a\nb', 'xyz')).toMatchObject({type: 'text', text});
    expect(shown(prompt(text, 'a\nb', 'a\nb', 'xyz'))).toBe(
      'Compare [Pasted text #1, 2 lines] and [Pasted text #2, 2 lines] with [Pasted text #3, 3 characters].',
    );
  });

  it('is shown with the name of what was not pasted, on one safe line', () => {
    const named = promptBlock('said more xyz', [
      {text: 'said', name: 'Conversation with\u001b[2J Codex'},
      {text: 'xyz'},
    ]);
    expect(shown(named)).toBe('[Conversation with␛ Codex, 4 characters] more [Pasted text #1, 3 characters]');
  });

  it('is an ordinary text without them', () => {
    expect(prompt('hello')).toEqual({type: 'text', text: 'hello'});
    expect(isPasted(prompt('hello', 'gone'))).toBe(false);
    expect(shown(prompt('hello'))).toBe('hello');
  });

  it('is shown whole if the marks do not fit the text', () => {
    for (const parts of [[{at: 3, length: 9}], [{at: '0', length: 1}], [null], 'x'])
      expect(withPlaceholders({text: 'hello', _meta: {'acp-tui/pasted': parts}})).toBe('hello');
  });
});

it('a large paste is text of the user, and a command that goes with it is not', () => {
  const exit = {code: 1, signal: null};
  const output = outputBlock({command: 'npm test', exit, text: 'FAILED', isCut: false} as never);
  const typed = prompt('Why does this fail? a long log', 'a long log');
  expect(promptText([output, typed])).toBe('Why does this fail? a long log');
});
