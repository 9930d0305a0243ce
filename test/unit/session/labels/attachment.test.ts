import {expect, test} from 'vitest';
import {attachmentLabel} from '../../../../src/session/labels/labels.ts';

test('an embedded file has its size on disk, not its number of characters', () => {
  const resource = {uri: 'file:///work/notes.md', text: '日本語'};
  expect(attachmentLabel({type: 'resource', resource}, '/work')).toBe('[notes.md, 9 B]');
});

test('an empty type leaves no gap', () => {
  expect(attachmentLabel({type: 'image', data: '', mimeType: ''}, '/work')).toBe('[image, 0 B]');
});

test('content without a name or with an impossible size is named, without a size', () => {
  const resource = {uri: '', blob: 'AAAA'};
  expect(attachmentLabel({type: 'resource', resource}, '/work')).toBe('[attachment, 3 B]');
  const link = {type: 'resource_link', title: '', name: 'page', size: -5, uri: 'https://a.example/'} as const;
  expect(attachmentLabel(link, '/work')).toBe('[page, https://a.example/]');
});
