import { useEffect } from 'react';
import { isStoredByService, useDraftStore } from './draft';

/** The browser asks before closing a page with work that the service does not have. */
export function useLeaveGuard(): void {
  const store = useDraftStore();
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (!isStoredByService(store.get())) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [store]);
}
