import {expect, test} from 'vitest';
import {OpenPlan, openPlanHeight} from '../../../components/transcript/plan.tsx';
import {plainTheme} from '../../support/screen/theme.ts';
import {frameOf} from '../../support/screen/frame-of.tsx';

test.each([1, 2, 3, 9])('the open plan of %d steps is as high as it says', (count) => {
  const content = {
    type: 'items' as const,
    planId: 'a',
    entries: Array.from({length: count}, (_, step) => ({
      content: `Step ${step}`,
      priority: 'low' as const,
      status: 'pending' as const,
    })),
  };
  for (const columns of [30, 60]) {
    const theme = plainTheme({columns});
    const rows = openPlanHeight(content, theme);
    expect(frameOf(<OpenPlan content={content} rows={rows} />, theme).split('\n')).toHaveLength(rows);
  }
});
