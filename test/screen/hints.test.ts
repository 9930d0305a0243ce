import {expect, test} from 'vitest';
import {styledHint} from '../../components/layout/hints.ts';
import {plainTheme} from '../support/screen/theme.ts';

test.each([
  ['Enter select · Esc close', 'Enter< select>< · >Esc< close>'],
  ['Ctrl+X k stop · i type into it', 'Ctrl+X k< stop>< · >i< type into it>'],
  ['e edit first · ? why am I asked', 'e< edit first>< · >?< why am I asked>'],
  ['Alt+↑ Alt+↓ move', 'Alt+↑ Alt+↓< move>'],
  ['Type to filter · PgUp PgDn scroll', '<Type to filter>< · >PgUp PgDn< scroll>'],
  ['Ask anything… / commands · @ files', '<Ask anything… >/< commands>< · >@< files>'],
  ['Starting… messages are queued', '<Starting… messages are queued>'],
  ['3 lines left · A sentence', '<3 lines left>< · ><A sentence>'],
])('the keys of a hint are bright, and its words dim: %s', (text, styled) => {
  const {paint} = plainTheme();
  expect(styledHint(text, {paint: {...paint, dim: (words) => `<${words}>`}})).toBe(styled);
});
