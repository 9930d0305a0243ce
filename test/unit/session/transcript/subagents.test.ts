import {describe, expect, test} from 'vitest';
import {documentOf, type SessionFacts} from '../../../../src/export/document.ts';
import {writeHtml} from '../../../../src/export/html/page.ts';
import {writeJson} from '../../../../src/export/json/json.ts';
import {readExport} from '../../../../src/export/json/read.ts';
import {writeMarkdown} from '../../../../src/export/markdown.ts';
import {maskDocument} from '../../../../src/export/mask.ts';
import type {Update} from '../../../../src/session/events.ts';
import {restoredSession} from '../../../../src/session/lifecycle/opening.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {subagentAsker, subagentFacts, subagentName} from '../../../../src/session/subagents/names.ts';
import {subagentEntry, subagentTree} from '../../../../src/session/subagents/tree.ts';
import {reportedDiffs} from '../../../../src/session/transcript/diffs.ts';
import {
  ended,
  reduceEvents,
  opened,
  prompted,
  says,
  update,
  type UntimedEvent,
  subagent,
  updateOf,
} from '../../../support/session/build.ts';

/** A turn with a reviewer, whose tester has changed a file. */
const session: SessionState = reduceEvents(
  opened,
  prompted('Review it'),
  update(subagent('child', {title: 'Reviewer', state: {state: 'running'}})),
  updateOf('child', says('I look at the flaky parser.')),
  updateOf('child', subagent('tester', {title: 'Tester', state: {state: 'running'}})),
  updateOf('tester', {
    sessionUpdate: 'tool_call',
    toolCallId: 'call',
    title: 'Edit a.ts',
    kind: 'edit',
    status: 'completed',
    content: [{type: 'diff', path: '/project/a.ts', oldText: 'old\n', newText: 'new\n'}],
  }),
  updateOf('child', subagent('tester', {state: {state: 'idle', stopReason: 'end_turn'}})),
  update(says('It is reviewed.')),
  ended('end_turn'),
);

const facts: SessionFacts = {
  title: 'Review',
  agent: {label: 'agent'},
  cwd: '/project',
  additionalDirectories: [],
  createdAt: 0,
  updatedAt: 0,
};
const document = documentOf(session, facts, {exportedAt: 0});

describe('the transcripts of subagents', () => {
  test('are among the changes of the turn that started them', () => {
    expect(reportedDiffs(session)).toMatchObject([{turn: 1, kind: 'edit', diff: {path: '/project/a.ts'}}]);
  });

  test("are listed in order between the session's own changes", () => {
    const edit = (name: string, at: number, sessionId?: string): UntimedEvent => {
      const diff = {type: 'diff', path: name, oldText: null, newText: 'new'} as const;
      const update: Update = {
        sessionUpdate: 'tool_call',
        toolCallId: name,
        title: 'Edit',
        status: 'completed',
        content: [diff],
      };
      const type = 'subagent_updated';
      return sessionId === undefined ? {type: 'session_update', update, at} : {type, sessionId, update, at};
    };
    const state = reduceEvents(
      opened,
      prompted('go'),
      update(subagent('child', {})),
      updateOf('child', subagent('tester', {})),
      edit('before', 1),
      edit('by the child', 2, 'child'),
      edit('by the tester', 3, 'tester'),
      edit('after', 4),
    );
    expect(reportedDiffs(state).map(({diff, turn}) => [diff.path, turn])).toEqual([
      ['before', 1],
      ['by the child', 1],
      ['by the tester', 1],
      ['after', 1],
    ]);
  });

  test('are nested quotes in Markdown', async () => {
    const text = await writeMarkdown(document);
    expect(text).toContain('> **Subagent Reviewer** · working');
    expect(text).toContain('> I look at the flaky parser.');
    expect(text).toContain('> > **Subagent Tester** · done');
    expect(text).toMatch(/^> > .*Edit a\.ts/m);
  });

  test('are below a line that opens them in HTML', async () => {
    const text = await writeHtml(document);
    expect(text).toMatch(
      /<summary>Subagent Reviewer.*<\/summary>[^]*flaky parser[^]*<summary>Subagent Tester[^]*Edit a\.ts/,
    );
  });

  test('are restored from JSON', async () => {
    const read = readExport(await writeJson(document), 'file');
    if (!read.ok) throw new Error(JSON.stringify(read.failure));
    const {entries, subagents, terminals} = read.value;
    const back = reduceEvents(opened, {type: 'imported', title: 'Review', entries, subagents, terminals});
    expect(subagentTree(back).map(({entry, depth}) => [entry.title, depth])).toEqual([
      ['Reviewer', 0],
      ['Tester', 1],
    ]);
    expect(await writeMarkdown(documentOf(back, facts, {exportedAt: 0}))).toBe(await writeMarkdown(document));
  });

  test.each([
    ['each other', 'b', 'a'],
    ['themselves', 'a', 'b'],
    ['nobody', 'x', 'y'],
  ])('are left out of an import if they work for %s', (_whom, ofA, ofB) => {
    const entry = {type: 'subagent', id: '0', at: 0, turn: undefined, title: 'A'} as const;
    const subagents = [
      {id: 'a', parent: ofA, entries: [{...entry, sessionId: 'b', description: undefined, state: undefined}]},
      {id: 'b', parent: ofB, entries: [{...entry, sessionId: 'a', description: undefined, state: undefined}]},
    ];
    const back = reduceEvents(opened, {type: 'imported', title: 'x', entries: [], subagents, terminals: []});
    expect(Object.keys(back.subagents)).toEqual([]);
  });

  test('are masked with everything else', async () => {
    const masked = await maskDocument(document, (text) => text.replaceAll('flaky', '***'));
    const text = await writeJson(masked);
    expect(text).toContain('I look at the *** parser.');
    expect(text).not.toContain('flaky');
  });

  test('are kept by a later run, in which none of them works', () => {
    const restored = restoredSession(session, 5000);
    expect(subagentEntry(restored, 'child')).toMatchObject({state: 'unknown', since: undefined});
    expect(restored.subagents['child']?.session.entries).toHaveLength(2);
  });
});

describe('the name of a subagent', () => {
  const long = 'x'.repeat(100_000);

  test.each([
    {what: 'blank', id: 'child', title: '  ', name: 'child'},
    {what: 'blank, like its id', id: ' ', title: '  ', name: 'unnamed'},
    {what: 'longer than a line', id: 'child', title: long, name: `${'x'.repeat(79)}…`},
  ])('whose title is $what', ({id, title, name}) => {
    const state = reduceEvents(opened, update(subagent(id, {title})));
    expect(subagentName(state, id)).toBe(name);
  });

  test('leaves space for the words between it and that of its parent', () => {
    const state = reduceEvents(
      opened,
      update(subagent('a', {title: long})),
      updateOf('a', subagent('b', {title: long})),
    );
    expect(subagentAsker(state, 'b')).toBe(`${'x'.repeat(39)}…, a subagent of ${'x'.repeat(39)}…`);
  });
});

describe("a subagent's working time", () => {
  test('counts only while it works, and continues when it works again', () => {
    const reported = (state: string, at: number): UntimedEvent => ({
      type: 'session_update',
      update: subagent('child', {state: {state}}),
      at,
    });
    const state = reduceEvents(
      opened,
      reported('running', 1000),
      reported('requires_action', 3000),
      reported('idle', 5000),
      reported('running', 60_000),
      reported('idle', 62_000),
    );
    expect(subagentFacts(subagentEntry(state, 'child')!, undefined)).toEqual(['done', '6.0 s']);
  });
});

describe('an agent that starts very many', () => {
  const notices = ({entries}: SessionState) =>
    [...entries].flatMap((entry) => (entry.type === 'notice' ? [entry.text] : []));

  test('has transcripts for the first thousand', () => {
    const many = reduceEvents(
      opened,
      ...Array.from({length: 1100}, (_, index) => update(subagent(`s${index}`, {title: `Number ${index}`}))),
    );
    expect(Object.keys(many.subagents)).toHaveLength(1000);
    expect(notices(many)).toEqual([
      'The agent has started 1000 subagents; more are not shown, and their requests are refused.',
    ]);
  });

  test('is not reported below that', () => {
    const few = Array.from({length: 999}, (_, index) => update(subagent(`s${index}`, {})));
    expect(notices(reduceEvents(opened, ...few, update(subagent('s0', {title: 'renamed'}))))).toEqual([]);
  });

  test('below one another has a hundred levels', () => {
    const deep = reduceEvents(
      opened,
      update(subagent('n0', {})),
      ...Array.from({length: 200}, (_, index) => updateOf(`n${index}`, subagent(`n${index + 1}`, {}))),
    );
    expect(subagentTree(deep)).toHaveLength(100);
    expect(notices(deep)).toEqual([
      'Subagents are nested 100 levels deep; those below are not shown, and their requests are refused.',
    ]);
  });
});
