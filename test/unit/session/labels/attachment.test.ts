import {expect, test} from 'vitest';
import {attachmentLabel} from '../../../../src/session/labels/labels.ts';

test('an embedded file has the size that it has on the disk, not the number of its characters', () => {
  const resource = {uri: 'file:///work/notes.md', text: '日本語'};
  expect(attachmentLabel({type: 'resource', resource}, '/work')).toBe('[notes.md, 9 B]');
});

test('a type that is empty leaves no gap', () => {
  expect(attachmentLabel({type: 'image', data: '', mimeType: ''}, '/work')).toBe('[image, 0 B]');
});
