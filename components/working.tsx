import {Text} from 'ink';
import {useEffect, useState} from 'react';
import {duration} from '../src/text/format.ts';
import {truncate} from '../src/text/truncate.ts';
import type {Draw} from './draw/draw.ts';

interface WorkingProps {
  /** What is being done. */
  readonly doing: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** What Esc does now. */
  readonly way: string;
  readonly draw: Draw;
  readonly animated: boolean;
}

const SPIN_INTERVAL = 125;
const SECOND = 1000;

/** What is being done and for how long: the only line that moves by itself. */
export function Working({doing, since, way, draw, animated}: WorkingProps) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), animated ? SPIN_INTERVAL : SECOND);
    return () => clearInterval(timer);
  }, [animated]);
  const {paint, signs, columns} = draw;
  const {spinner} = signs;
  const elapsed = Math.max(0, now - since);
  const sign = animated ? spinner[Math.floor(elapsed / SPIN_INTERVAL) % spinner.length] : signs.running;
  const seconds = Math.floor(elapsed / SECOND);
  const facts = [elapsedWords(seconds), way].filter(Boolean).join(` ${signs.dot} `);
  const text = truncate(`${doing}${facts === '' ? '' : ` ${signs.dot} ${facts}`}`, columns - 2);
  return (
    <Text wrap="truncate-end">
      {paint.accent(sign ?? '')} {paint.dim(text)}
    </Text>
  );
}

function elapsedWords(seconds: number): string {
  if (seconds === 0) return '';
  return seconds < 60 ? `${seconds} s` : duration(seconds * SECOND);
}
