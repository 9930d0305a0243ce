import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';
import {describe, expect, test} from 'vitest';
import {LIMITS} from '../../../../src/shared/limits.ts';
import {rules, useHosts} from '../hosts.ts';

const {setUp, at} = useHosts();
const uriOf = (name: string) => pathToFileURL(at(name)).href;

describe('a plan file', () => {
  test.each(['address', 'path', 'relative path'] as const)('is read from its %s', (how) => {
    mkdirSync(at('docs'));
    writeFileSync(at('docs/a plan.md'), '# First\n');
    const named = {
      address: uriOf('docs/a plan.md'),
      path: at('docs/a plan.md'),
      'relative path': 'docs/a plan.md',
    };
    expect(setUp().host.readPlan(named[how])).toEqual({name: 'docs/a plan.md', text: '# First\n'});
  });

  test('is not read through a link out of the workspace, nor outside of it', () => {
    symlinkSync('/etc/hostname', at('link.md'));
    symlinkSync('/etc', at('folder'));
    const {host} = setUp();
    for (const uri of [
      uriOf('link.md'),
      uriOf('folder/hostname'),
      'file:///etc/hostname',
      '../../etc/hostname',
    ])
      expect(host.readPlan(uri)).toBeUndefined();
  });

  test('is not read if it is too large, no file, no text or missing', () => {
    writeFileSync(at('big.md'), 'x'.repeat(LIMITS.planBytes + 1));
    writeFileSync(at('bytes.md'), 'a\0b');
    const {host} = setUp();
    for (const uri of [
      uriOf('big.md'),
      uriOf('bytes.md'),
      uriOf('none.md'),
      uriOf('.'),
      'https://example.com/plan.md',
      'file://host/plan.md',
    ])
      expect(host.readPlan(uri)).toBeUndefined();
    writeFileSync(at('big.md'), 'x'.repeat(LIMITS.planBytes));
    expect(host.readPlan(uriOf('big.md'))?.text).toHaveLength(LIMITS.planBytes);
  });

  test.each(['deny', 'ask'])('is not read if a rule says %s', (effect) => {
    writeFileSync(at('.env'), 'KEY=1');
    writeFileSync(at('plan.md'), 'plan');
    const {host} = setUp({rules: rules(`${effect} read .env*`)});
    expect(host.readPlan(uriOf('.env'))).toBeUndefined();
    expect(host.readPlan(uriOf('plan.md'))).toMatchObject({text: 'plan'});
  });

  test('is read in an added folder', () => {
    const {host} = setUp();
    expect(host.readPlan('file:///etc/hostname')).toBeUndefined();
    host.addRoot('/etc');
    expect(host.readPlan('file:///etc/hostname')).toBeDefined();
  });
});
