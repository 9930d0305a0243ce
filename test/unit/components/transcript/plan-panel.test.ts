import {expect, test} from 'vitest';
import {rowsOfOpenPlan, rowsOfPlan} from '../../../../components/transcript/plan.tsx';
import {cpuTimeOf} from '../../../support/cpu-time.ts';
import {drawingReady} from '../../../support/in-process.ts';
import {colorTheme} from '../../../support/screen/theme.ts';

test('a plan of very many paragraphs is drawn', async () => {
  await drawingReady();
  const content = {type: 'markdown', planId: 'a', content: 'a\n\n'.repeat(130_000)} as const;
  expect(rowsOfOpenPlan(content, 3, colorTheme()).slice(1)).toEqual(['a', '']);
});

test('a step of the plan above the prompt is drawn only as far as it fits', () => {
  const step = {content: 'a word '.repeat(1500), status: 'pending', priority: 'low'} as const;
  const content = {type: 'items', planId: 'a', entries: Array.from({length: 1000}, () => step)} as const;
  const theme = colorTheme({columns: 24});
  expect(rowsOfOpenPlan(content, 3, theme)).toEqual([expect.stringContaining('0/1000'), ...shown(2)]);
  expect(cpuTimeOf(() => void rowsOfOpenPlan(content, 3, theme))).toBeLessThan(20);

  function shown(count: number): readonly string[] {
    return Array.from({length: count}, () => expect.stringMatching(/a word a word/) as string);
  }
});

test('the plan above the prompt has no link to open, since the shown URL may be cut off', async () => {
  await drawingReady();
  const content = {
    type: 'markdown',
    planId: 'a',
    content: '[https://good.example](https://evil.example)',
  } as const;
  const theme = colorTheme({columns: 24});
  expect(rowsOfOpenPlan(content, 2, theme).join('\n')).not.toContain('\x1b]8;');
  const whole = rowsOfPlan({type: 'plan', id: 'a', planId: 'a', turn: 1, at: 0, content}, theme).join('\n');
  expect(whole).toContain('\x1b]8;;https://evil.example');
});
