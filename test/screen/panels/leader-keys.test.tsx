import {expect, test} from 'vitest';
import {leaderKeysPanel} from '../../../components/panels/leader-keys.tsx';
import {leaderKeysHelp} from '../../../src/app/pages/help-page.ts';
import {defaultKeymap} from '../../../src/app/keymap/keymap.ts';
import {plainTheme} from '../../support/screen/theme.ts';
import {linesOfPanel} from '../../support/screen/frame-of.tsx';

const help = leaderKeysHelp(defaultKeymap);

test.each([39, 60, 100])('the keys after the leader key are cut at the bottom, at %d columns', (columns) => {
  const theme = plainTheme({columns});
  const whole = linesOfPanel(leaderKeysPanel(help, 1000, theme), theme);
  expect(whole[0]).toContain(help.title);
  expect(whole.at(-1)).toContain('Any other key closes');
  expect(linesOfPanel(leaderKeysPanel(help, 6, theme), theme)).toEqual(whole.slice(0, 6));
});
