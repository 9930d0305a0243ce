import {describe, expect, test} from 'vitest';
import {contentData, contentItems, type ContentItem} from '../../../../src/session/content/content-items.ts';
import {findUrls} from '../../../../src/session/content/find-urls.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {
  calls,
  reduceEvents,
  opened,
  prompted,
  says,
  reduceUpdates,
  update,
} from '../../../support/session/build.ts';

const content = (block: object) => update({sessionUpdate: 'agent_message_chunk', content: block as never});

function shown({entries, ...session}: SessionState): readonly string[] {
  return contentItems({...session, entries}).map(inWords);
}

function inWords({kind, name, mimeType, bytes, line}: ContentItem): string {
  return [kind, name, mimeType, bytes, line].filter((fact) => fact !== undefined).join(' ');
}

describe('the content of a session', () => {
  test('includes everything that was sent, the newest first', () => {
    const session = reduceEvents(
      opened,
      prompted('draw'),
      content({type: 'image', mimeType: 'image/png', data: 'AAAA', uri: 'file:///tmp/a%20chart.png'}),
      content({type: 'audio', mimeType: 'audio/wav', data: 'AAA='}),
      content({type: 'resource', resource: {uri: 'file:///project/notes.md', text: 'grün'}}),
      content({
        type: 'resource',
        resource: {uri: 'x:/a/data.zip?b', blob: 'AA==', mimeType: 'application/zip'},
      }),
      content({type: 'resource_link', uri: 'https://example.com/report', name: 'Report'}),
      content({type: 'resource_link', uri: 'file:///project/src/a.ts#L7', name: 'a.ts', size: 12}),
    );
    expect(shown(session)).toEqual([
      'location /project/src/a.ts 12 7',
      'link https://example.com/report',
      'blob data.zip application/zip 1',
      'text notes.md 5',
      'audio audio audio/wav 2',
      'image a chart.png image/png 3',
    ]);
  });

  test('includes links under the names shown, if they differ', () => {
    const session = reduceEvents(
      opened,
      prompted('go'),
      content({type: 'resource_link', uri: 'https://example.com/r/7', name: 'Report'}),
      content({type: 'resource_link', uri: 'https://example.com/a.ts', name: 'a.ts'}),
    );
    expect(contentItems(session).map(({name, from}) => [name, from])).toEqual([
      ['https://example.com/a.ts', undefined],
      ['https://example.com/r/7', 'Report'],
    ]);
  });

  test('includes content of tool calls, with their locations once', () => {
    const session = reduceUpdates(
      opened,
      calls('one', {
        title: 'Plot',
        locations: [
          {path: '/project/a.ts', line: 3},
          {path: '/project/a.ts', line: 3},
        ],
      }),
      calls('two', {
        title: 'Read',
        locations: [{path: '/project/a.ts', line: 3}],
        content: [
          {type: 'diff', path: '/project/b.ts', newText: 'b'},
          {type: 'content', content: {type: 'image', mimeType: 'image/png', data: 'AAAA'}},
        ],
      }),
    );
    expect(contentItems(session).map(({name, toolCallId, from}) => [name, toolCallId, from])).toEqual([
      ['image', 'two', 'Read'],
      ['/project/b.ts', 'two', 'Read'],
      ['/project/a.ts', 'two', 'Read'],
    ]);
  });

  test('includes what subagents sent, by time', () => {
    const child = {sessionUpdate: 'subagent_update', sessionId: 'child', state: {state: 'running'}} as const;
    const session = reduceEvents(
      opened,
      update(child),
      {...content({type: 'image', mimeType: 'image/png', data: 'AAAA'}), at: 10},
      {
        type: 'subagent_updated',
        sessionId: 'child',
        update: {
          sessionUpdate: 'agent_message_chunk',
          content: {type: 'audio', mimeType: 'audio/wav', data: 'AAAA'},
        },
        at: 20,
      } as never,
    );
    expect(contentItems(session).map(({kind}) => kind)).toEqual(['audio', 'image']);
  });

  test("does not count a parent's message to its subagent as the user's", () => {
    const image = {type: 'image', mimeType: 'image/png', data: 'AAAA'} as const;
    const session = reduceEvents(opened, update({sessionUpdate: 'subagent_update', sessionId: 'child'}), {
      type: 'subagent_updated',
      sessionId: 'child',
      update: {sessionUpdate: 'user_message_chunk', content: image},
    });
    expect(contentItems(session)).toMatchObject([{kind: 'image', subagent: 'child', isOwn: false}]);
  });

  test('excludes what is meant only for the model, and links in prompts', () => {
    const hidden = {audience: ['assistant']};
    const session = reduceEvents(
      opened,
      prompted('see https://example.com/mine'),
      content({type: 'image', mimeType: 'image/png', data: 'AAAA', annotations: hidden}),
    );
    expect(shown(session)).toEqual([]);
  });

  test('is found again by its item, unchanged, even after more messages', () => {
    const text = 'a\u200bb\u001b[31m';
    const resource = {uri: 'file:///x/a.txt', text};
    const session = reduceUpdates(
      opened,
      calls('one', {content: [{type: 'content', content: {type: 'resource', resource}}]}),
    );
    const [item] = contentItems(session);
    expect(item && contentData(reduceUpdates(session, says('more')), item)).toEqual({kind: 'text', text});
    expect(item && contentData(opened, item)).toBeUndefined();
  });

  test('shows hidden characters in names', () => {
    const session = reduceEvents(
      opened,
      content({type: 'resource', resource: {uri: 'file:///x/photo%E2%80%AEgnp.exe', blob: ''}}),
    );
    expect(shown(session)).toEqual(['blob photo⟨U+202E⟩gnp.exe 0']);
  });
});

test.each([
  [
    'See [the docs](https://a.example/b_(c)) and <https://b.example/?q=1&r>.',
    ['https://a.example/b_(c)', 'https://b.example/?q=1&r'],
  ],
  [
    '(https://a.example/x), "https://b.example": **https://c.example/**',
    ['https://a.example/x', 'https://b.example', 'https://c.example/'],
  ],
  ['https:// javascript:alert(1) file:///etc/passwd xhttp://a.example', []],
  ['https://a.example/\u202eb', ['https://a.example/']],
])('finds the URLs in %j', (text, addresses) => {
  expect(findUrls(text)).toEqual(addresses);
});

test('a link is named by its ASCII URL, whatever its text', () => {
  const session = reduceUpdates(opened, says('[https://apple.com](https://аpple.com/login)'));
  expect(shown(session)).toEqual(['link https://xn--pple-43d.com/login', 'link https://apple.com/']);
});
