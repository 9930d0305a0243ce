import {Text} from 'ink';
import {useEffect, useState} from 'react';
import {truncate} from '../src/text/truncate.ts';
import type {Draw} from './draw/draw.ts';

interface WorkingProps {
  /** What is going on. */
  readonly text: string;
  readonly draw: Draw;
  readonly isAnimated: boolean;
}

const SPIN_INTERVAL = 125;

/** What is going on: the only line that moves by itself. */
export function Working({text, draw, isAnimated}: WorkingProps) {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!isAnimated) return;
    const timer = setInterval(() => setTurn((turn) => turn + 1), SPIN_INTERVAL);
    return () => clearInterval(timer);
  }, [isAnimated]);
  const {paint, signs, columns} = draw;
  const sign = isAnimated ? signs.spinner[turn % signs.spinner.length] : signs.running;
  return (
    <Text wrap="truncate-end">
      {paint.accent(sign ?? '')} {paint.dim(truncate(text, columns - 2))}
    </Text>
  );
}
