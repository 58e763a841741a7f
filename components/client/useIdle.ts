import { useEffect, useEffectEvent } from 'react';

/** Does something once, when the browser has nothing more urgent to do. */
export function useIdle(work: () => void): void {
  const begin = useEffectEvent(work);
  useEffect(() => {
    // Safari has no idle callbacks.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(() => begin(), 500);
      return () => clearTimeout(timer);
    }
    const handle = requestIdleCallback(() => begin());
    return () => cancelIdleCallback(handle);
  }, []);
}
