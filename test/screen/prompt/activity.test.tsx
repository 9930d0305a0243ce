import {Text} from 'ink';
import {expect, test} from 'vitest';
import {useClock} from '../../../components/hooks.ts';
import {Activity} from '../../../components/prompt/activity.tsx';
import {plainTheme} from '../../support/screen/theme.ts';
import {cpuTimeOf} from '../../support/cpu-time.ts';
import {frameOf} from '../../support/screen/frame-of.tsx';

const lineOf = (columns: number, doing: string, took?: string) =>
  frameOf(
    <Activity activity={{doing, ...(took !== undefined && {took})}} isAnimated={false} />,
    plainTheme({columns}),
  );

test('the activity is cut before its time, and never its sign', () => {
  expect(lineOf(40, 'Running npm test…', '3 s')).toBe('◐ Running npm test… 3 s');
  expect(lineOf(16, 'Running npm test…', '3 s')).toBe('◐ Running n… 3 s');
  expect(lineOf(16, 'Waiting for your answer')).toBe('◐ Waiting for y…');
});

test('a title of 8 MB takes no longer than a short one', () => {
  const title = `Running ${'x'.repeat(8_000_000)}…`;
  expect(cpuTimeOf(() => expect(lineOf(30, title)).toHaveLength(30))).toBeLessThan(2000);
});

test('what takes longer to draw than a step of the clock is drawn once', () => {
  let drawn = 0;
  function Slow() {
    useClock(false);
    drawn++;
    waste(260);
    return <Text>slow</Text>;
  }
  expect(frameOf(<Slow />)).toBe('slow');
  expect(drawn).toBe(1);
});

function waste(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
}
