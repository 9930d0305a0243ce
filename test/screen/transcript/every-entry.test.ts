import {describe, expect, test} from 'vitest';
import {createPaint} from '../../../components/theme/paint.ts';
import {symbolsFor} from '../../../components/theme/symbols.ts';
import {themes, findTheme} from '../../../src/app/themes/themes.ts';
import {stripStyles} from '../../../src/text/ansi.ts';
import {width} from '../../../src/text/width.ts';
import {update} from '../../support/session/build.ts';
import {conversation, ended, prompt, says, thinks} from '../../support/session/conversation.ts';
import {drawingReady} from '../../support/in-process.ts';
import {plainTheme} from '../../support/screen/theme.ts';
import {linesOf, viewWhole} from '../../support/screen/whole-transcript.ts';

await drawingReady();

const text = (value: string) => ({type: 'content' as const, content: {type: 'text' as const, text: value}});
const call = (toolCallId: string, changes: object) =>
  update({sessionUpdate: 'tool_call', toolCallId, title: toolCallId, ...changes});

/** A conversation with every kind of entry, and tool calls in every state. */
function talk() {
  const talk = conversation();
  talk.report(
    prompt(1, 'Two requests refresh the session at once.\nFix that: 漢字, שלום עולם, مرحبا'),
    thinks('It may be the flag.'),
    says(
      '## What happens\n\nThe `busy` flag is **cleared** too early. שלום, مرحبا بالعالم.\n\n- one\n- two\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 漢字 |\n',
    ),
    update({
      sessionUpdate: 'plan',
      entries: [
        {content: 'Find it', status: 'completed', priority: 'medium'},
        {content: 'Mend it', status: 'in_progress', priority: 'medium'},
        {content: 'Test it', status: 'pending', priority: 'low'},
      ],
    }),
    call('Read src/session.ts', {kind: 'read', status: 'completed', content: [text('1\n2\n3')]}),
    call('Edit src/session.ts', {
      kind: 'edit',
      status: 'completed',
      content: [{type: 'diff', path: '/work/src/session.ts', oldText: 'a\nb\nc\n', newText: 'a\nB\nc\n'}],
    }),
    call('Run npm test', {
      kind: 'execute',
      status: 'failed',
      rawInput: {command: 'npm test'},
      content: [text('1 failed')],
    }),
    call('Fetch a page', {kind: 'fetch', status: 'in_progress'}),
    call('Wait', {kind: 'other', status: 'pending'}),
    {type: 'notice', level: 'warning', text: 'Something to know.'},
    says('Done.'),
    ended(1),
  );
  return talk.session();
}

const session = talk();
const isFolded = () => true;

describe.each([20, 40, 80, 120])('at %i columns', (columns) => {
  test('every entry is drawn in its columns', () => {
    const lines = linesOf(viewWhole(session, plainTheme({columns, extent: 'folded'}), isFolded));
    expect(lines.filter((line) => width(line) > columns)).toEqual([]);
    expect(lines.join('\n')).toMatchSnapshot();
  });

  test.each(themes.map(({name}) => name))('the theme %s changes no words', (name) => {
    const draw = (theme: string, background: '#ffffff' | '#000000') =>
      linesOf(
        viewWhole(
          session,
          plainTheme({
            columns,
            symbols: symbolsFor('ascii'),
            paint: createPaint(findTheme(theme), {level: 3, emphasis: true, hyperlinks: false, background}),
          }),
          isFolded,
        ),
      ).map((line) => stripStyles(line).trimEnd());
    expect(draw(name, '#ffffff')).toEqual(draw(name, '#000000'));
  });
});
