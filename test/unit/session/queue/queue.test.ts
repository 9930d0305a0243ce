import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {initialSession} from '../../../../src/session/initial.ts';
import {changeQueue} from '../../../../src/session/queue/change-queue.ts';
import {moveQueued, takeQueued, unsentPrompts} from '../../../../src/session/queue/queue.ts';
import type {NewPrompt, QueuedPrompt} from '../../../../src/session/queue/queued-prompt.ts';

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

  it('gives what is attached to a prompt back when that is removed', () => {
    const session = initialSession({cwd: '/project', additionalDirectories: [], at: 0});
    const note = {id: 'note', kind: 'comments'} as never;
    const prompts = [{...prompt('a'), outputs: [note]}, prompt('b')];
    const before = {...session, queue: {...session.queue, prompts}};
    const after = changeQueue(before, {kind: 'remove', id: 'a'}).queue;
    expect([ids(after.prompts), after.outputs]).toEqual(['b', [note]]);
  });

  it('stays paused if earlier prompts are restored, and what was typed before they are found is not held up', () => {
    const session = initialSession({cwd: '/project', additionalDirectories: [], at: 0});
    const restore = (isPaused: boolean, prompts: readonly NewPrompt[]) => {
      const before = {...session, queue: {...session.queue, prompts: queue, isPaused}};
      const change = {kind: 'restore', prompts, outputs: [], isPaused: true} as const;
      const after = changeQueue(before, change).queue;
      return [after.isPaused, after.prompts.map(({text, direct = false}) => `${text} ${direct}`)];
    };
    expect(restore(true, [])).toEqual([true, ['a false', 'b false', 'c false']]);
    expect(restore(true, [prompt('old')])).toEqual([true, ['a false', 'b false', 'c false', 'old false']]);
    expect(restore(false, [])).toEqual([false, ['a false', 'b false', 'c false']]);
    expect(restore(false, [prompt('old')])).toEqual([true, ['a true', 'b true', 'c true', 'old false']]);
  });

  it('sends the prompt that waits for a limit, although another one was taken before it and could not be sent', () => {
    const session = initialSession({cwd: '/project', additionalDirectories: [], at: 0});
    const limit = {since: 0, until: 1, isAwaited: true, prompt: prompt('a')};
    const waiting = {...session.queue, lastPrompt: prompt('a'), limit, prompts: [prompt('b')]};
    const taken = changeQueue({...session, queue: waiting}, {kind: 'taken', id: 'b'});
    expect(ids(unsentPrompts(taken.queue))).toBe('ba');
    const back = changeQueue(taken, {kind: 'not_sent'});
    expect(ids(unsentPrompts(back.queue))).toBe('ab');
    expect(ids(changeQueue(back, {kind: 'limit_over'}).queue.prompts)).toBe('ab');
  });

  it('never loses or duplicates a prompt by moving', () => {
    fc.assert(
      fc.property(fc.constantFrom('a', 'b', 'c'), fc.integer({min: -5, max: 5}), (id, by) => {
        expect(ids(moveQueued(queue, id, by).toSorted((a, b) => a.id.localeCompare(b.id)))).toBe('abc');
      }),
    );
  });
});
