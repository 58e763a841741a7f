import { useEffect, useEffectEvent } from 'react';
import { isDirty, useDraftStore } from './draft';
import { keep } from './kept';

/** Long enough for a word to be finished, short enough that nobody waits for it. */
const QUIET_MS = 1200;
const FIRST_RETRY_MS = 2000;
const LONGEST_RETRY_MS = 30_000;

/**
 * Saves by itself when the hands rest, and keeps a copy in this browser until the service has it. Offline, it tries
 * again, less and less often, and at once when the network is back. What was refused waits for the next change.
 */
export function useAutosave(save: () => Promise<boolean>): void {
  const store = useDraftStore();
  const saveNow = useEffectEvent(save);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let retryMs = FIRST_RETRY_MS;
    let seen = store.get();
    const later = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => void saveNow(), ms);
    };
    const onChange = () => {
      const [before, now] = [seen, store.get()];
      seen = now;
      const isEdited = now.definition !== before.definition || now.name !== before.name;
      if (isEdited && isDirty(now)) {
        keep(now.saved.id, { version: now.saved.version, name: now.name, definition: now.definition });
        retryMs = FIRST_RETRY_MS;
        if (now.saving !== 'conflict') later(QUIET_MS);
      } else if (now.saving === 'idle' && before.saving !== 'idle') {
        retryMs = FIRST_RETRY_MS;
        if (isDirty(now)) later(QUIET_MS);
      } else if (now.saving === 'offline' && before.saving !== 'offline') {
        later(retryMs);
        retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
      }
    };
    const onOnline = () => {
      if (store.get().saving === 'offline') later(0);
    };
    const unsubscribe = store.subscribe(onChange);
    addEventListener('online', onOnline);
    if (isDirty(seen)) later(QUIET_MS);
    return () => {
      clearTimeout(timer);
      // Going to another page doesn't wait for the hands to rest.
      if (timer !== undefined && isDirty(store.get()) && store.get().saving === 'idle') void saveNow();
      unsubscribe();
      removeEventListener('online', onOnline);
    };
  }, [store]);
}
