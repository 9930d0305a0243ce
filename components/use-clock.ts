import {useEffect, useState} from 'react';

const SECOND = 1000;

/** The time, in milliseconds on the window's clock; a new one each second while it runs. */
export function useClock(isRunning: boolean): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (!isRunning) return;
    setNow(performance.now());
    const timer = setInterval(() => setNow(performance.now()), SECOND);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
