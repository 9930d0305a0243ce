import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, test} from 'vitest';
import {pendingRequestLine} from '../../../src/session/labels/asked-line.ts';
import {activityLine} from '../../../src/session/labels/activity-line.ts';
import {reduceEvents, opened, prompted, update, type UntimedEvent} from '../../support/session/build.ts';

const running = reduceEvents(opened, prompted('go'));

function asks(id: string, title: string, rawInput?: unknown): UntimedEvent {
  const toolCall = {toolCallId: id, title, kind: 'execute' as const, rawInput};
  return {type: 'permission_requested', id, request: {sessionId: 's1', toolCall, options: []}};
}

const edited = {type: 'diff' as const, path: '/project/gone.txt', oldText: 'a', newText: 'b'};

describe('what a session waits for', () => {
  test('is nothing while it asks nothing', () => {
    expect(pendingRequestLine(running)).toBeUndefined();
  });

  test('is the command rather than what the agent calls it, and how many requests follow', () => {
    const asked = reduceEvents(running, asks('a', 'List the files', {command: 'rm -rf build'}));
    expect(pendingRequestLine(asked)).toBe('Allow rm -rf build?');
    expect(pendingRequestLine(reduceEvents(asked, asks('b', 'Look')))).toBe('Allow rm -rf build? (+1)');
    expect(pendingRequestLine(reduceEvents(running, asks('b', 'Look')))).toBe('Allow Look?');
  });

  test.each<[string, Partial<acp.ToolCallUpdate>]>([
    [
      'Allow deleting gone.txt?',
      {kind: 'edit', content: [{...edited, newText: '', _meta: {kind: 'delete'}}]},
    ],
    ['Allow deleting gone.txt?', {kind: 'delete', locations: [{path: '/project/gone.txt'}]}],
    ['Allow moving a to /b?', {rawInput: {patch: 'rename from a\nrename to /b\n'}}],
    [
      'Allow deleting b, editing gone.txt?',
      {content: [edited], rawInput: {input: {diff: '*** Delete File: b\n'}}},
    ],
    [
      'Allow deleting a␛[2J⟨U+202E⟩␊b?',
      {rawInput: {patch: '--- "a/a\\033[2J\\342\\200\\256\\012b"\n+++ /dev/null\n'}},
    ],
    ['Allow Tidy up?', {kind: 'edit', content: [edited]}],
  ])('is what is deleted or moved, with its names: %s', (line, call) => {
    const request = {sessionId: 's1', toolCall: {toolCallId: 'a', title: 'Tidy up', ...call}, options: []};
    const asked = reduceEvents(running, {type: 'permission_requested', id: 'a', request});
    expect(pendingRequestLine(asked)).toBe(line);
  });

  test('is one line of text that controls no terminal', () => {
    const title = `one\ntwo\u001b]0;x\u0007\u202e${'long '.repeat(1000)}`;
    const line = pendingRequestLine(reduceEvents(running, asks('a', title))) ?? '';
    expect(line).toMatch(/^Allow one two/);
    // oxlint-disable-next-line no-control-regex
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(line.length).toBeLessThanOrEqual(201);
  });

  test('shows hidden characters as the request does', () => {
    const title = 'rm a\u200b\u001bb ⟨U+200B⟩';
    const expected = 'rm a⟨U+200B⟩␛b ⟨U+27E8⟩U+200B⟩';
    expect(pendingRequestLine(reduceEvents(running, asks('a', title)))).toBe(`Allow ${expected}?`);
    const toolCall = {sessionUpdate: 'tool_call', toolCallId: 'a', title, status: 'in_progress'} as const;
    expect(activityLine(reduceEvents(running, update(toolCall)))).toBe(expected);
  });

  test('is a sign-in, where the agent requires one', () => {
    const connection = {kind: 'authentication_required', methods: []} as const;
    expect(pendingRequestLine(reduceEvents(running, {type: 'connection_changed', connection}))).toBe(
      'Sign in',
    );
  });
});
