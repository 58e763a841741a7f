import { useEffect, useEffectEvent } from 'react';
import { hasUnsavedChanges, useDraftStore } from './draft';
import { writeLocalBackup } from '@/components/client/local-backup';

/** Debounce: long enough to finish a word, short enough not to be noticed. */
const AUTOSAVE_DELAY_MS = 1200;
const FIRST_SAVE_RETRY_MS = 2000;
const MAX_SAVE_RETRY_MS = 30_000;

/**
 * Autosave after a pause in editing, with a backup in this browser until the save succeeds. Offline it retries with
 * exponential backoff, and at once when the network is back. A save that was refused or stored as an invalid draft
 * waits for the next change.
 */
export function useAutosave(save: () => Promise<boolean>): void {
  const store = useDraftStore();
  const saveNow = useEffectEvent(save);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let retryMs = FIRST_SAVE_RETRY_MS;
    let seen = store.get();
    const later = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => void saveNow(), ms);
    };
    const onChange = () => {
      const [before, now] = [seen, store.get()];
      seen = now;
      const isEdited = now.definition !== before.definition || now.name !== before.name;
      if (isEdited && !hasUnsavedChanges(now) && now.invalid) {
        // Back to the saved state: the invalid draft is removed.
        later(AUTOSAVE_DELAY_MS);
      } else if (isEdited && hasUnsavedChanges(now)) {
        writeLocalBackup(now.saved.id, { version: now.saved.version, name: now.name, definition: now.definition });
        retryMs = FIRST_SAVE_RETRY_MS;
        if (now.saving !== 'conflict') later(AUTOSAVE_DELAY_MS);
      } else if (now.saving === 'idle' && before.saving !== 'idle') {
        retryMs = FIRST_SAVE_RETRY_MS;
        if (hasUnsavedChanges(now)) later(AUTOSAVE_DELAY_MS);
      } else if (now.saving === 'offline' && before.saving !== 'offline') {
        later(retryMs);
        retryMs = Math.min(retryMs * 2, MAX_SAVE_RETRY_MS);
      }
    };
    const onOnline = () => {
      if (store.get().saving === 'offline') later(0);
    };
    const unsubscribe = store.subscribe(onChange);
    addEventListener('online', onOnline);
    if (hasUnsavedChanges(seen)) later(AUTOSAVE_DELAY_MS);
    return () => {
      clearTimeout(timer);
      // Leaving the page saves without waiting for the debounce.
      if (timer !== undefined && hasUnsavedChanges(store.get()) && store.get().saving === 'idle') void saveNow();
      unsubscribe();
      removeEventListener('online', onOnline);
    };
  }, [store]);
}
