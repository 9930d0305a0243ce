import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {moveQueued, takeQueued} from '../../../../src/session/queue/queue.ts';
import type {QueuedPrompt} from '../../../../src/session/queue/queued-prompt.ts';

const prompt = (id: string): QueuedPrompt => ({id, text: id, content: [{type: 'text', text: id}]});
const queue = ['a', 'b', 'c'].map(prompt);
const ids = (prompts: readonly QueuedPrompt[]) => prompts.map(({id}) => id).join('');

describe('the queue', () => {
  it('returns the selected one', () => {
    const taken = takeQueued(queue, 'b');
    expect(taken?.prompt.id).toBe('b');
    expect(ids(taken?.prompts ?? [])).toBe('ac');
    expect(takeQueued(queue, 'x')).toBeUndefined();
  });

  it('moves a prompt, and stops at either end', () => {
    expect(ids(moveQueued(queue, 'c', -1))).toBe('acb');
    expect(ids(moveQueued(queue, 'a', 1))).toBe('bac');
    expect(ids(moveQueued(queue, 'a', -1))).toBe('abc');
    expect(ids(moveQueued(queue, 'a', 9))).toBe('bca');
    expect(moveQueued(queue, 'x', 1)).toBe(queue);
  });

  it('never loses or duplicates a prompt by moving', () => {
    fc.assert(
      fc.property(fc.constantFrom('a', 'b', 'c'), fc.integer({min: -5, max: 5}), (id, by) => {
        expect(ids(moveQueued(queue, id, by).toSorted((a, b) => a.id.localeCompare(b.id)))).toBe('abc');
      }),
    );
  });
});
