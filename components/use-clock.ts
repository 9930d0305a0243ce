import {useEffect, useState} from 'react';

const SECOND = 1000;

/** The time, in milliseconds on the window's clock; a new one each second while it runs. */
export function useClock(isRunning: boolean): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (!isRunning) return;
    const tick = () => setNow(performance.now());
    const first = setTimeout(tick);
    const timer = setInterval(tick, SECOND);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [isRunning]);
  return now;
}
