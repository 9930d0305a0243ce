import {describe, expect, it} from 'vitest';
import {descriptions} from '../../../src/app/keymap/action-descriptions.ts';
import type {KeyPress} from '../../../src/app/input/keys.ts';
import {actionFor, defaultKeymap, keysFor, withBindings} from '../../../src/app/keymap/keymap.ts';

const press = (name: string, held: Partial<KeyPress> = {}): KeyPress => ({
  kind: 'key',
  name,
  text: '',
  ctrl: false,
  alt: false,
  shift: false,
  at: 0,
  ...held,
});

describe('the keymap', () => {
  it('gives no combination two meanings in one context', () => {
    for (const bindings of Object.values(defaultKeymap)) {
      const combinations = Object.values(bindings).flat();
      expect(new Set(combinations).size).toBe(combinations.length);
    }
  });

  it('hides no global key in a context, except for going back in a form and in a review', () => {
    const everywhere = new Set(Object.values(defaultKeymap.everywhere).flat());
    const {everywhere: _, ...contexts} = defaultKeymap;
    const own = Object.values(contexts).flatMap((bindings) => Object.values(bindings).flat());
    expect(own.filter((combination) => everywhere.has(combination))).toEqual(['shift+tab', 'shift+tab']);
  });

  it('has a key for every action in the help, except one without a default', () => {
    const actions = Object.keys(descriptions) as (keyof typeof descriptions)[];
    expect(actions.filter((action) => keysFor(action).length === 0)).toEqual(['transpose_characters']);
  });

  it('lists the key to show first, and each only once', () => {
    expect(keysFor('new_line')).toEqual(['shift+enter', 'alt+enter', 'ctrl+j']);
    expect(keysFor('choose_previous')).toEqual(['up', 'ctrl+p', 'ctrl+s']);
  });

  it('can be changed, action by action', () => {
    const keymap = withBindings(defaultKeymap, {prompt: {send: ['ctrl+q'], yank: []}});
    expect(actionFor('prompt', press('q', {ctrl: true}), keymap)).toBe('send');
    expect(actionFor('prompt', press('enter'), keymap)).toBeUndefined();
    expect(actionFor('prompt', press('y', {ctrl: true}), keymap)).toBeUndefined();
    expect(actionFor('prompt', press('w', {ctrl: true}), keymap)).toBe('kill_blank_word_backward');
    expect(keysFor('send', keymap)).toEqual(['ctrl+q']);
    expect(keysFor('send')).toEqual(['enter']);
  });

  it('has no action for text longer than one key', () => {
    expect(actionFor('request', {...press('y'), name: undefined, text: 'yes'})).toBeUndefined();
  });
});
