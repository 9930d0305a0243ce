import {expect, test} from 'vitest';
import {passagePicker, readingOverlay} from '../../../src/app/pickers/passage-picker.ts';
import {openWindow} from '../../support/window/app-window.ts';
import {reduceEvents, opened, prompted, says, update} from '../../support/session/build.ts';
import type {PassageMatch} from '../../../src/app/state.ts';

const passage: PassageMatch = {
  session: 'abc',
  name: 'About the sea',
  cwd: '/project',
  at: 0,
  entry: 1,
  snippet: [
    {text: '\n The\n', found: false},
    {text: 'whale', found: true},
    {text: ' swims, and a ', found: false},
    {text: 'whale', found: true},
  ],
};

test('a match is shown on one line with the match highlighted, under its session', () => {
  const {items} = passagePicker('whale', [passage], 3 * 60_000);
  const [item] = items;
  expect(item).toMatchObject({
    group: 'About the sea',
    description: '3 min · /project',
    label: 'The whale swims, and a whale',
  });
  const marked = item?.marks?.map((offset) => item.label.charAt(offset)).join('');
  expect(marked).toBe('whalewhale');
});

test('a match in the transcript of a subagent names it', () => {
  const {items} = passagePicker('whale', [{...passage, subagent: 'Reviewer'}], 3 * 60_000);
  expect(items[0]).toMatchObject({description: '3 min · subagent Reviewer · /project'});
});

test('a selected match can be read or resumed', () => {
  const window = openWindow();
  const listed = passagePicker('whale', [passage], 0);
  const choose = (item: string) => {
    window.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker: listed}});
    window.press('enter');
    window.type(item);
    window.press('enter');
  };
  choose('Read');
  expect(window.performed('read_session')).toMatchObject([{id: 'abc', entry: 1, search: 'whale'}]);
  choose('Resume');
  expect(window.performed('resume_session')).toMatchObject([{row: 'abc', fork: false}]);
});

test('reading starts at the entry, with the search', () => {
  const session = reduceEvents(opened, prompted('hi'), update(says('The whale.')));
  expect(readingOverlay(session, {entry: 1, search: 'whale'})).toMatchObject({
    overlay: {kind: 'transcript', read: {entries: session.entries, pending: []}},
    viewer: {search: 'whale', position: {from: 'entry', id: '1', rows: 0}},
  });
});
