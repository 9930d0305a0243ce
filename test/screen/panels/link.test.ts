import {describe, expect, test} from 'vitest';
import {linkPanel} from '../../../components/requests/link-request.ts';
import {rowsOfEntry} from '../../../components/transcript/entry-rows.ts';
import {defaultKeymap} from '../../../src/app/keymap/keymap.ts';
import type {Link} from '../../../src/session/forms/form-request.ts';
import type {RequestView} from '../../../src/app/state.ts';
import {allRead, askedView} from '../shown-request.ts';
import {plainTheme} from '../../support/screen/theme.ts';
import {linesOfPanel} from '../../support/screen/frame-of.tsx';

describe('a URL request', () => {
  const drawnLink = (
    link: Link,
    columns: number,
    {
      isOpened = false,
      message = 'Please sign in',
      view = askedView,
    }: {isOpened?: boolean; message?: string; view?: RequestView} = {},
  ) =>
    linesOfPanel(
      linkPanel(
        {
          request: {
            kind: 'url',
            id: 'u',
            message,
            toolCallId: undefined,
            askedAt: 0,
            link,
            isOpened,
          },
          view,
          entry: undefined,
          agentName: 'acp-tui',
          isFocused: true,
          others: 1,
          keymap: defaultKeymap,
          reading: allRead,
          rows: 30,
        },
        plainTheme({columns}),
      ),
      plainTheme({columns}),
    );
  const href = `https://login.example.com/authorize?state=${'0123456789'.repeat(8)}&end=here`;
  const link = {href, host: 'login.example.com'};

  test.each([80, 20])('is shown in full at %d columns, its host apart', (columns) => {
    const lines = drawnLink(link, columns);
    expect(lines.join('\n')).toMatchSnapshot();
    expect(lines.join('').replaceAll(/ *│+ ?/g, '')).toContain(href);
  });

  test('is shown with what is suspicious about it', () => {
    const odd = {href: 'http://xn--pple-43d.com/', host: 'xn--pple-43d.com', unicodeHost: 'аpple.com'};
    expect(drawnLink(odd, 60).join('\n')).toMatchSnapshot();
  });

  test('with hidden characters in its message says so', () => {
    expect(drawnLink(link, 60).join('\n')).not.toContain('hidden');
    expect(drawnLink(link, 60, {message: 'Sign⟨U+200B⟩ in'}).join('\n')).toContain(
      'Contains hidden or control',
    );
  });

  test('names its keys once they count, in rows of the same number', () => {
    const unseen = {kind: 'unseen', isGiven: false, rejectFrom: Infinity} as const;
    const [first, then] = [{...askedView, phase: unseen}, askedView].map((view) =>
      drawnLink(link, 60, {view}),
    );
    expect(first!.join('\n')).not.toContain('select');
    expect(then!.join('\n')).toContain('number select');
    expect(first).toHaveLength(then!.length);
  });

  test('that was opened can be continued from, opened again, and cancelled', () => {
    expect(drawnLink(link, 60, {isOpened: true}).join('\n')).toMatchSnapshot();
  });
});

test('a URL request stays in the transcript with its answer', () => {
  const entry = {
    type: 'elicitation',
    id: '1',
    turn: 1,
    at: 0,
    mode: 'form',
    message: 'Who are you?',
    asker: undefined,
    toolCallId: 'call-1',
    about: 'Deploy',
    url: undefined,
    answers: [{label: 'Your name', answer: 'Ada'}, {label: 'API key', isSecret: true}, {label: 'A city'}],
    outcome: 'accepted',
  } as const;
  expect(rowsOfEntry(entry, plainTheme({columns: 40})).join('\n')).toMatchSnapshot();
});
