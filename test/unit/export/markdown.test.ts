import {Lexer, type Tokens} from 'marked';
import {expect, test} from 'vitest';
import * as fc from 'fast-check';
import {writeHtml} from '../../../src/export/html/page.ts';
import {writeMarkdown} from '../../../src/export/markdown.ts';
import {
  calls,
  cancelledStep,
  ended,
  reduceEvents,
  opened,
  prompted,
  says,
  update,
} from '../../support/session/build.ts';
import {exportDocument, sessionWith} from '../../support/session/everything.ts';
import {hostileText} from './hostile.ts';

test('reads like the conversation', async () => {
  const session = reduceEvents(
    opened,
    prompted('Fix it\nplease'),
    update(says('I look at **it**.')),
    update(
      calls('t1', {
        title: 'Edit a.ts',
        kind: 'edit',
        status: 'completed',
        content: [{type: 'diff', path: '/project/a.ts', oldText: 'one\ntwo\n', newText: 'one\n2\n'}],
      }),
    ),
    update({sessionUpdate: 'plan', entries: [{content: 'step', status: 'completed', priority: 'low'}]}),
    ended('end_turn'),
  );
  const [, said] = (await writeMarkdown(exportDocument(session))).split(/\n(?=## You)/);
  expect(said).toBe(`## You

> Fix it
> please

## Some Agent 1.2

I look at **it**.

**✓ Edit a.ts**

\`\`\`diff
--- a.ts
+++ a.ts
@@ -1,2 +1,2 @@
 one
-two
+2
\`\`\`

**Plan**

- [x] step

*4 ms · 1 file changed*
`);
});

test('a step of a plan that was cancelled is marked as such', async () => {
  const plan = update({sessionUpdate: 'plan', entries: [cancelledStep('Drop')]});
  const exported = exportDocument(reduceEvents(opened, prompted('Go'), plan, ended('end_turn')));
  expect(await writeMarkdown(exported)).toContain('- [ ] Drop (cancelled)\n');
  expect(await writeHtml(exported)).toContain('<li class="cancelled">⊘ Drop</li>');
});

test('a shell command is marked as such', async () => {
  const session = reduceEvents(
    opened,
    {type: 'terminal_created', terminalId: 'own', command: 'npm test', cwd: '/', pty: true, runBy: 'user'},
    {type: 'terminal_output', terminalId: 'own', data: 'one failed\r\n'},
    {type: 'terminal_exited', terminalId: 'own', exit: {code: 1, signal: null}},
  );
  expect(await writeMarkdown(exportDocument(session))).toContain(
    '*The user’s own command*\n\n```console\n$ npm test\none failed\nexit code 1\n```',
  );
});

test('the output of a command is there once if its agent sends it as texts, too', async () => {
  const words = (text: string) => ({type: 'content' as const, content: {type: 'text' as const, text}});
  const texts = [words('$ npm test'), words('row 1\n'), words('Wall time: 2 s')];
  const session = reduceEvents(
    opened,
    prompted('go'),
    {type: 'terminal_created', terminalId: 't', command: 'npm test', cwd: '/', pty: false},
    {type: 'terminal_output', terminalId: 't', data: 'row 1\n'},
    update(
      calls('c1', {
        title: '$ npm test',
        kind: 'execute',
        status: 'completed',
        content: [...texts, {type: 'terminal', terminalId: 't'}],
      }),
    ),
  );
  for (const write of [writeMarkdown, writeHtml]) {
    const written = await write(exportDocument(session));
    expect(written.match(/row 1/g)).toHaveLength(1);
    expect(written).toContain('Wall time');
  }
});

test('a question that a form asked is there once, with its answer', async () => {
  const question = 'Which database?';
  const form = [{name: 'db', label: question, answer: 'Redis'}];
  const session = reduceEvents(
    opened,
    prompted('go'),
    update(
      calls('q', {
        title: 'AskUserQuestion',
        rawInput: {questions: [{question, options: [{label: 'Postgres'}, {label: 'Redis'}]}]},
      }),
    ),
    {
      type: 'elicitation_requested',
      id: '1',
      asked: {
        mode: 'form',
        message: question,
        toolCallId: 'q',
        title: 'Question',
        fields: [],
      },
    },
    {type: 'elicitation_resolved', id: '1', outcome: 'accepted', answers: form},
    update({
      sessionUpdate: 'tool_call_update',
      toolCallId: 'q',
      status: 'completed',
      rawOutput: `${question}=Redis`,
    }),
  );
  for (const write of [writeMarkdown, writeHtml]) {
    const written = await write(exportDocument(session));
    expect(written.match(/Which database/g)).toHaveLength(1);
    expect(written.match(/Redis/g)).toHaveLength(1);
  }
});

test('a code block that an agent left open ends with its message', async () => {
  const session = reduceEvents(
    opened,
    prompted('go'),
    update(says('```ts\nconst a')),
    ended('end_turn'),
    prompted('and then?', 2),
  );
  const tokens = new Lexer().lex(await writeMarkdown(exportDocument(session)));
  const headings = tokens
    .filter(({type}) => type === 'heading')
    .map((token) => (token as Tokens.Heading).text);
  expect(headings).toEqual(['A session', 'You', 'Some Agent 1.2', 'You']);
});

test('output stays between its fences, whatever it contains', async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, async (words) => {
      const tool = calls('t', {
        title: 'Look',
        status: 'completed',
        content: [{type: 'content', content: {type: 'text', text: words}}],
      });
      const tokens = new Lexer().lex(
        await writeMarkdown(
          exportDocument(reduceEvents(opened, prompted('go'), update(tool), ended('end_turn'))),
        ),
      );
      expect(
        tokens
          .filter(({type}) => type !== 'space')
          .map(({type}) => type)
          .slice(-2)[1],
      ).toBe('paragraph');
      expect(tokens.some(({type}) => type === 'html')).toBe(false);
    }),
  );
});

test('contains every kind of entry', async () => {
  const text = await writeMarkdown(exportDocument(sessionWith('words')));
  for (const part of [
    '> *Thought',
    '$ words',
    'exit code 3',
    'Unknown update words',
    '**Warning:** words',
    '- [ ] words (in progress)',
  ])
    expect(text).toContain(part);
});

test('says which writes the sandbox refused, as HTML does', async () => {
  const text = "touch: cannot touch '/etc/x': Read-only file system";
  const session = reduceEvents(
    opened,
    {
      type: 'sandbox_changed',
      sandbox: {writable: ['/project'], hosts: [], network: 'ask', sandboxSockets: 'none'},
    },
    update(
      calls('t1', {
        title: 'touch /etc/x',
        kind: 'execute',
        status: 'failed',
        content: [{type: 'content', content: {type: 'text', text}}],
      }),
    ),
  );
  const refused = 'Outside the sandbox: /etc/x.';
  expect(await writeMarkdown(exportDocument(session))).toContain(` · ${refused}`);
  expect(await writeHtml(exportDocument(session))).toContain(`<p class="dim">${refused}</p>`);
});
