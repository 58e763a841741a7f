import { useEffect } from 'react';
import { isDirty, useDraftStore } from './draft';

/** The browser asks before closing a page with unsaved work. */
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
