import {Text} from 'ink';
import {useSyncExternalStore} from 'react';
import {truncate} from '../src/text/truncate.ts';
import type {Draw} from './draw/draw.ts';

interface WorkingProps {
  /** The current activity. */
  readonly text: string;
  readonly draw: Draw;
  readonly isAnimated: boolean;
}

const SPIN_INTERVAL = 125;

/** The progress line, the only line that is animated. */
export function Working({text, draw, isAnimated}: WorkingProps) {
  const turn = useSpin(isAnimated);
  const {paint, symbols, columns} = draw;
  const sign = isAnimated ? symbols.spinner[turn % symbols.spinner.length] : symbols.running;
  return (
    <Text wrap="truncate-end">
      {paint.accent(sign ?? '')} {paint.dim(truncate(text, columns - 2))}
    </Text>
  );
}

/** Counts while it runs. Frames drawn for other reasons advance the count, so that it causes few of its own. */
function useSpin(isRunning: boolean): number {
  return useSyncExternalStore(isRunning ? spin : rest, turnNow);
}

function turnNow(): number {
  return Math.floor(performance.now() / SPIN_INTERVAL);
}

function spin(listener: () => void): () => void {
  const timer = setInterval(listener, SPIN_INTERVAL);
  return () => clearInterval(timer);
}

function rest(): () => void {
  return () => {};
}
