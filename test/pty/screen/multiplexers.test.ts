import {appendFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, test} from 'vitest';
import type {PuppetStep} from '../../../fixtures/fake-agent/scenarios/puppet.ts';
import {fakeAgent, READY, temporaryFolder} from '../../support/driver/chat.ts';
import {isInstalled, openIn, type MultiplexerName} from '../../support/driver/multiplexer.ts';

const row = (number: number) => `row ${String(number).padStart(2, '0')}`;
const rows = Array.from({length: 40}, (_, index) => row(index));

describe.each<MultiplexerName>(['tmux', 'screen'])('in %s', (name) => {
  const isMissing = !isInstalled(name);
  if (isMissing) console.warn(`NOT TESTED: ${name} is not installed (apt-get install ${name}).`);

  test.runIf(process.env['TEST_PROGRAMS'] === 'required')('is installed as requested', () => {
    expect(isMissing).toBe(false);
  });

  test.skipIf(isMissing).each([
    {
      what: 'a table that grows from an empty window',
      head: '| name | what |\n| --- | --- |\n',
      say: (text: string) => `| ${text} | text |\n`,
    },
    {what: 'an answer in many paragraphs', head: 'It begins.\n\n', say: (text: string) => `${text} text\n\n`},
  ])('$what is kept once, and no frame is', async ({head, say}) => {
    const steps = path.join(temporaryFolder('puppet'), 'steps');
    const report = (...next: readonly PuppetStep[]) =>
      appendFileSync(steps, next.map((step) => `${JSON.stringify(step)}\n`).join(''));
    writeFileSync(steps, '');
    const window = openIn(name, fakeAgent('puppet', steps));
    await window.sees(READY);
    window.type('go\r');
    await window.sees('Working');
    report({say: head});
    for (const text of rows) {
      report({say: say(text)});
      await window.sees(text);
    }
    report({say: '\nThe end.\n'}, {end: 'end_turn'});
    await window.sees('The end.');
    await window.noLongerSees('Working');
    // GNU screen rewrites its copy on every request, and does not report when it is done. Rows above the screen may come a frame later.
    let kept = '';
    const isWhole = () =>
      (kept = window.kept()).split('The end.')[1]?.includes(READY) === true &&
      rows.every((text) => kept.includes(text));
    await window.until(isWhole, 'for the copy of all rows');
    expect(rows.map((text) => kept.split(text).length - 1)).toEqual(rows.map(() => 1));
    expect(kept.split(READY).length - 1).toBe(1);
    expect(kept).not.toContain('Starting');
    expect(kept).not.toContain('Working');
  });
});
