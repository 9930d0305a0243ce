import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, it} from 'vitest';
import {asksAboutOther} from '../../../../src/session/requests/asked-call.ts';
import {calls, only, opened, prompted, reduceEvents, reduceUpdates} from '../../../support/session/build.ts';

const running = reduceEvents(opened, prompted('go'));
type Row = [string, Partial<acp.ToolCall>, Partial<acp.ToolCallUpdate>];
const listing: Partial<acp.ToolCall> = {title: 'ls -la', kind: 'execute', rawInput: {command: 'ls -la'}};
const reading: Partial<acp.ToolCall> = {
  title: 'Read notes.md',
  kind: 'read',
  locations: [{path: '/w/notes.md'}],
};
const diff = {type: 'diff' as const, path: '/w/a', oldText: 'a', newText: 'b'};
const editing: Partial<acp.ToolCall> = {title: 'Editing files', kind: 'edit', content: [diff]};

/** A call that runs. */
const entryOf = (call: Partial<acp.ToolCall>) => only(reduceUpdates(running, calls('t', call)), 'tool_call');

describe('a request with the ID of a call that runs', () => {
  it.each<Row>([
    ['another title', listing, {title: 'rm -rf build'}],
    ['another title that begins with it', listing, {title: 'ls -la; rm -rf build'}],
    ['another title, in place of a name', {...listing, title: 'Bash', name: 'Bash'}, {title: 'rm -rf build'}],
    ['another title, as its end', listing, {title: 'rm -rf build', status: 'completed'}],
    ['another kind', listing, {title: 'ls -la', kind: 'edit'}],
    ['another kind of the same input', listing, {...listing, kind: 'read'}],
    ['another input', listing, {title: 'ls -la', rawInput: {command: 'rm -rf build'}}],
    ['another command of its kind', listing, {...listing, rawInput: {command: 'rm -rf build'}}],
    ['another title and no input', reading, {title: 'Overwrite everything'}],
    ['another title and the first input', reading, {title: 'Overwrite everything', rawInput: {all: true}}],
    ['no kind', {...reading, rawInput: {}}, {title: 'Overwrite everything', rawInput: {all: true}}],
    ['another file', editing, {title: 'Edit files', kind: 'edit', locations: [{path: '/w/b'}]}],
    ['its file and another kind', editing, {title: 'Delete', kind: 'delete', locations: [{path: '/w/a'}]}],
  ])('is about another call with %s', (_what, begun, call) => {
    expect(asksAboutOther(entryOf(begun), {toolCallId: 't', ...call})).toBe(true);
  });

  it.each<Row>([
    ['nothing but the ID', listing, {}],
    ['the same title', reading, {title: '`Read notes.md`'}],
    ['its command as the title', {...listing, title: 'List files'}, {title: 'Run `ls -la`'}],
    ['more of its input', listing, {title: 'List files', rawInput: {command: 'ls -la', cwd: '/w'}}],
    [
      'its first input, and then its kind',
      {title: 'List'},
      {title: 'List', kind: 'execute', rawInput: {a: 1}},
    ],
    [
      'its first input and another title',
      {title: 'Ask', kind: 'think', rawInput: {}},
      {title: 'Ask 1', kind: 'think', rawInput: {a: 1}},
    ],
    [
      'the same command in another input',
      {...listing, rawInput: {command: 'ls -la', description: 'List'}},
      {title: 'Run', kind: 'execute', rawInput: {command: 'ls -la', commands: ['ls -la']}},
    ],
    ['the same file', editing, {title: 'Edit files', kind: 'edit', locations: [{path: '/w/a'}]}],
    [
      'the same file in another input',
      {title: 'Create a', kind: 'edit', rawInput: {path: 'a', text: 'b'}},
      {title: 'Create', kind: 'edit', rawInput: {fileName: '/w/a', diff: '+b'}},
    ],
  ])('is about the call with %s', (_what, begun, call) => {
    expect(asksAboutOther(entryOf(begun), {toolCallId: 't', ...call})).toBe(false);
  });
});
