import {describe, expect, test} from 'vitest';
import type {Update} from '../../../src/session/events.ts';
import {hintLine} from '../../support/window/hint-text.ts';
import {openWindow, type TestWindow} from '../../support/window/app-window.ts';

const png = {type: 'image', mimeType: 'image/png', data: 'AAAA', uri: 'file:///x/chart.png'} as const;
const zip = {
  type: 'resource',
  resource: {uri: 'x:data.zip', blob: 'AAAA', mimeType: 'application/zip'},
} as const;
const notes = {type: 'resource', resource: {uri: 'x:notes.md', text: 'a\u0000b\n'}} as const;

function windowWith(...updates: readonly Update[]): TestWindow {
  const window = openWindow();
  for (const update of updates) window.update(update);
  return window;
}

const sent = (content: object): Update => ({sessionUpdate: 'agent_message_chunk', content}) as Update;
const call = (fields: object): Update => ({
  sessionUpdate: 'tool_call',
  toolCallId: 'a',
  title: 'Plot',
  ...fields,
});

function listed({state: {overlay}}: TestWindow): readonly string[] {
  if (overlay.kind !== 'picker') return [];
  return overlay.picker.items.map(({label, description, disabled}) =>
    [label, disabled ?? description].filter(Boolean).join(': '),
  );
}

describe('the content of a session', () => {
  test('is listed by kind: what was sent, then links, then files', () => {
    const window = windowWith(
      sent({type: 'text', text: 'See https://example.com/a.'}),
      call({locations: [{path: '/project/src/a.ts', line: 3}], content: [{type: 'content', content: png}]}),
      sent(zip),
    );
    window.press('ctrl+x', 'o');
    expect(listed(window)).toEqual([
      'data.zip: application/zip · 3 B',
      'chart.png: image/png · 3 B · Plot',
      'https://example.com/a',
      'src/a.ts:3: Plot',
    ]);
  });

  test('names the subagent that sent it', () => {
    const window = windowWith({sessionUpdate: 'subagent_update', sessionId: 'child', title: 'Painter'});
    window.agent({type: 'subagent_updated', sessionId: 'child', update: sent(png)});
    window.press('ctrl+x', 'o');
    expect(listed(window)).toEqual(['chart.png: image/png · 3 B · Painter']);
  });

  test('is opened, saved or copied', () => {
    const window = windowWith(sent(png));
    window.say('/open');
    window.press('enter');
    expect(listed(window)).toEqual(['Open', 'Save: As chart.png in /project', 'Copy: As a data: URL']);
    window.press('enter');
    expect(window.performed('open_content')).toMatchObject([{key: 'main', item: {name: 'chart.png'}}]);
    window.say('/open');
    window.press('enter', 'down', 'enter');
    expect(window.performed('save_content')).toMatchObject([{key: 'main', item: {name: 'chart.png'}}]);
    window.say('/open');
    window.press('enter', 'up', 'enter');
    expect(window.performed('copy')).toEqual([
      {kind: 'copy', text: 'data:image/png;base64,AAAA', what: 'the image'},
    ]);
  });

  test('can be saved, but not opened, if its type is not known to be harmless', () => {
    const window = windowWith(sent(zip));
    window.say('/open');
    window.press('enter');
    expect(listed(window).at(-1)).toBe(
      'Open: Files of type application/zip cannot be opened from here; save it.',
    );
    window.press('up', 'enter');
    expect(window.performed('open_content')).toEqual([]);
    expect(hintLine(window.state)).toContain('save it');
  });

  test('is copied without invisible characters', () => {
    const window = windowWith(
      call({locations: [{path: '/project/a\nrm -rf ~\n'}], content: [{type: 'content', content: notes}]}),
    );
    window.say('/open');
    window.press('enter', 'up', 'enter');
    window.say('/open a');
    window.press('down', 'enter', 'up', 'enter');
    expect(window.performed('copy').map(({text}) => text)).toEqual(['a␀b\n', '/project/a␊rm -rf ~␊']);
  });

  test('is found in the transcript, and a session without any says so', () => {
    const window = windowWith();
    window.press('ctrl+o', 'v');
    expect(hintLine(window.state)).toBe('No images, files or links in this session yet.');
    window.agent({type: 'session_update', update: sent(png)});
    window.press('v');
    expect(listed(window)).toEqual(['chart.png: image/png · 3 B']);
  });
});
