import {describe, expect, test} from 'vitest';
import {currentPath, currentSettings, earlierName} from '../../../src/settings/setting-names.ts';

describe('settings by earlier names', () => {
  test.each([
    [{sandbox: 'on'}, {sandbox: {enabled: 'on'}}],
    [{sandbox: true}, {sandbox: {enabled: true}}],
    [{sandbox: false}, {sandbox: {enabled: false}}],
    [{sandbox: {enabled: true}}, {sandbox: {enabled: true}}],
    [{background: true, backgroundIdle: 2}, {background: {enabled: true, idleHours: 2}}],
    [
      {theme: 'dark', sandbox: 'on', network: 'none', mouse: true, networkHosts: ['a']},
      {theme: 'dark', sandbox: {enabled: 'on', network: 'none', hosts: ['a']}, mouse: true},
    ],
    [{sandboxFolders: ['~/a'], sandbox: {}}, {sandbox: {folders: ['~/a']}}],
    [{sandboxFolders: ['~/a'], sandbox: null}, {sandbox: {folders: ['~/a'], enabled: null}}],
    [{glyphs: 'ascii', images: 'off'}, {accessibility: {glyphs: 'ascii', images: 'off'}}],
    [
      {agents: {a: {sandbox: 'off', sandboxHidden: ['b']}, b: {glyphs: 'ascii'}, c: {}, d: 'e'}},
      {agents: {a: {sandbox: {enabled: 'off', hidden: ['b']}}, b: {glyphs: 'ascii'}, c: {}, d: 'e'}},
    ],
    [{agents: []}, {agents: []}],
    [{statusCommand: 'a'}, {statusLine: {command: 'a'}}],
    [
      {statusLine: ['agent'], theme: 'dark'},
      {statusLine: ['agent'], theme: 'dark'},
    ],
    [{keys: {network: 'x'}}, {keys: {network: 'x'}}],
  ])('%j become %j, in this order', (given, expected) => {
    const {settings, twice} = currentSettings(given);
    expect(JSON.stringify(settings)).toBe(JSON.stringify(expected));
    expect(twice).toEqual([]);
    expect(currentSettings(settings).settings).toEqual(settings);
  });

  test('that stand there by two names are reported, and so are those of an agent', () => {
    const agents = {a: {network: 'ask', sandbox: {network: 'none'}}};
    const {twice, written} = currentSettings({sandbox: {hidden: ['a']}, sandboxHidden: [], agents});
    expect(twice.map(({path}) => path)).toEqual([
      ['sandbox', 'hidden'],
      ['agents', 'a', 'sandbox', 'network'],
    ]);
    expect(written.get('sandbox.hidden')).toEqual(['sandboxHidden']);
    expect(written.get('agents.a.sandbox.network')).toEqual(['agents', 'a', 'network']);
  });

  test.each([
    {accessibility: {images: 'off'}, images: 'blocks'},
    {images: 'blocks', accessibility: {images: 'off'}},
  ])('count by the name of today: %j', (given) => {
    expect(currentSettings(given).settings).toEqual({accessibility: {images: 'off'}});
  });

  test.each([
    {statusLine: ['agent'], statusCommand: 'a'},
    {statusCommand: 'a', statusLine: ['agent']},
  ])('are beside the list that is there instead of their group: %j', (given) => {
    const {settings, twice, written} = currentSettings(given);
    expect(settings).toEqual({statusLine: ['agent']});
    expect(twice).toMatchObject([{path: ['statusLine', 'command'], other: ['statusLine']}]);
    expect(written.get('statusLine.command')).toEqual(['statusCommand']);
  });

  test.each([
    {accessibility: 7, images: 'off', glyphs: 'ascii'},
    {images: 'off', glyphs: 'ascii', accessibility: 7},
  ])('count beside a group that is none, which is known: %j', (given) => {
    const {settings, wrongGroups, twice} = currentSettings(given);
    expect(settings).toEqual({accessibility: {images: 'off', glyphs: 'ascii'}});
    expect(wrongGroups).toEqual([{path: ['accessibility'], value: 7}]);
    expect(twice).toEqual([]);
  });

  test('have one path', () => {
    expect(currentPath(['sandboxFolders'])).toEqual(['sandbox', 'folders']);
    expect(currentPath(['agents', 'network', 'network'])).toEqual([
      'agents',
      'network',
      'sandbox',
      'network',
    ]);
    expect(currentPath(['agents', 'network'])).toEqual(['agents', 'network']);
    expect(currentPath(['sandbox'], 'on')).toEqual(['sandbox', 'enabled']);
    expect(currentPath(['sandbox'], {enabled: true})).toEqual(['sandbox']);
    expect(currentPath(['toString'])).toEqual(['toString']);
    expect(earlierName(['agents', 'a', 'sandbox', 'hosts'])).toBe('networkHosts');
    expect(earlierName(['accessibility', 'images'])).toBe('images');
    expect(currentPath(['statusCommand'])).toEqual(['statusLine', 'command']);
    expect(earlierName(['statusLine'])).toBe('statusCommand');
    expect(earlierName(['theme'])).toBeUndefined();
  });
});
