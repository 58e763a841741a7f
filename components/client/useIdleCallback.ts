import { useEffect, useEffectEvent } from 'react';

const IDLE_POLL_INTERVAL_MS = 200;

/** Runs a callback once, when the page is loaded (no skeleton is shown) and the browser is idle. */
export function useIdleCallback(work: () => void): void {
  const begin = useEffectEvent(work);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let handle: number | undefined;
    const look = () => {
      if (document.querySelector('[aria-busy="true"]')) timer = setTimeout(look, IDLE_POLL_INTERVAL_MS);
      else begin();
    };
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in window) handle = requestIdleCallback(look);
    else timer = setTimeout(look, IDLE_POLL_INTERVAL_MS);
    return () => {
      clearTimeout(timer);
      if (handle !== undefined) cancelIdleCallback(handle);
    };
  }, []);
}
