import { useEffect } from 'react';
import { isDirty, useDraftStore } from './draft';

/** Asks before the page is closed with unsaved work on it. */
export function useLeaveGuard(): void {
  const store = useDraftStore();
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isDirty(store.get())) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [store]);
}
