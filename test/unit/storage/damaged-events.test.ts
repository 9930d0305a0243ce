import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {previewOf} from '../../../src/window/sessions/session-rows.ts';
import {documentOf} from '../../../src/export/document.ts';
import {writeMarkdown} from '../../../src/export/markdown.ts';
import {isMark, type StoredEvents, replayEnd} from '../../../src/storage/sessions/event-file.ts';
import {lineOf, parseLine, type SessionHeader} from '../../../src/storage/sessions/event-lines.ts';
import {sessionMetaOf, withMark} from '../../../src/storage/sessions/session-table.ts';
import {passagesOf} from '../../../src/storage/sessions/search-index.ts';
import type {SessionEvent} from '../../../src/session/events.ts';
import {eventsOf, recordings} from '../../support/session/recorded.ts';

const header: SessionHeader = {
  v: 1,
  id: 'abc',
  created: 1,
  agent: {label: 'some-agent', command: 'some-agent', args: []},
  cwd: '/project',
  additionalDirectories: [],
};

const recorded = recordings.map((recording) => eventsOf(recording) as SessionEvent[]);
const prompt: SessionEvent = {type: 'prompt_started', turn: 1, content: [{type: 'text', text: 'hi'}], at: 1};

/** Other values that can replace a value. */
const anyValue = fc.oneof(
  fc.constant(undefined),
  fc.constant(null),
  fc.integer(),
  fc.string(),
  fc.constant({}),
  fc.constant([]),
);

/** A line as a disk or another version may leave it: still JSON, but with one field changed. */
function damaged(event: SessionEvent, which: number, value: unknown): string {
  const fields: Record<string, unknown> = {...event};
  const inner = fields['update'] as Record<string, unknown> | undefined;
  const names = [
    ...Object.keys(fields).filter((name) => name !== 'at' && name !== 'type'),
    ...Object.keys(inner ?? {}).map((name) => `update.${name}`),
  ];
  const name = names[which % Math.max(names.length, 1)] ?? 'nothing';
  if (name.startsWith('update.')) fields['update'] = {...inner, [name.slice(7)]: value};
  else fields[name] = value;
  return lineOf(fields as unknown as SessionEvent);
}

function storedFrom(lines: readonly string[]): StoredEvents {
  return {header, lines: lines.map(parseLine).flatMap((line) => (line && !('v' in line) ? [line] : []))};
}

test('where folders are is not read of a line that says no paths', () => {
  const line = (real: unknown) => parseLine(JSON.stringify({type: 'folders_resolved', real, at: 1}));
  expect(line({'/project': '/real'})).toMatchObject({real: {'/project': '/real'}});
  for (const real of [{'/project': 1}, {'/project': null}, ['/real'], 'x'])
    expect(line(real)).toBeUndefined();
});

test('a damaged line that is still JSON costs at most itself: the session can be read, shown, found and exported', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat({max: recorded.length - 1}),
      fc.record({position: fc.nat(), which: fc.nat(), value: anyValue}),
      async (recording, {position, which, value}) => {
        const events = recorded[recording] ?? [];
        const at = position % events.length;
        const lines = [prompt, ...events].map((event, index) =>
          index === at + 1 ? damaged(event, which, value) : lineOf(event),
        );
        const state = replayEnd(storedFrom(lines).lines);
        previewOf(state);
        passagesOf(state, {first: 0, from: 0});
        const facts = {...sessionMetaOf(header), agent: {label: 'some-agent'}, title: 'T'};
        expect(await writeMarkdown(documentOf(state, facts as never, {exportedAt: 2}))).toContain('hi');
      },
    ),
  );
});

test('an update of a kind from a newer version is skipped, and later ones are not', () => {
  const lines = [
    lineOf(prompt),
    '{"type":"session_update","at":2,"update":{"sessionUpdate":"of_tomorrow"}}',
    '{"type":"session_update","at":3,"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"still here"}}}',
  ];
  expect(previewOf(replayEnd(storedFrom(lines).lines))).toContain('still here');
});

test('a marker from a newer version changes nothing', () => {
  const {lines} = storedFrom(['{"mark":"of_tomorrow","at":5}', '{"mark":"closed","at":6}']);
  expect(lines.filter(isMark).reduce(withMark, sessionMetaOf(header))).toEqual(sessionMetaOf(header));
});

test.each(['{"v":1}', '{"v":1,"id":"x","created":1,"agent":null,"cwd":"/","additionalDirectories":[]}'])(
  'the start %s belongs to no session',
  (text) => {
    expect(parseLine(text)).toBeUndefined();
  },
);
