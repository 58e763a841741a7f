import { useEffect, useState } from 'react';

/** The current time in milliseconds, updated every `intervalMs` while `isTicking`. */
export function useCurrentTime(intervalMs: number, isTicking = true): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isTicking) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs, isTicking]);
  return now;
}
