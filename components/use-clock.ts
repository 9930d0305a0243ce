import {useEffect, useState} from 'react';

const SECOND = 1000;

/** The time, in milliseconds since the epoch; a new one each second while it runs. */
export function useClock(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
