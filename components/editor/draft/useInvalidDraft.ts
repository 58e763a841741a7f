import { isTransientApiError, apiErrorSentence } from '@/components/client/api-error';
import { writeLocalBackup } from '@/components/client/local-backup';
import { useDraftStore } from './draft';
import type { useDraftCalls } from './useDraftCalls';

/** Stores changes with errors beside the workflow, and removes them. */
export function useInvalidDraft(calls: ReturnType<typeof useDraftCalls>) {
  const store = useDraftStore();
  return {
    /** Returns false if the service refuses or does not respond. Then only this browser has the draft. */
    keep: async (): Promise<boolean> => {
      const { saved, name, definition } = store.get();
      try {
        await calls.saveInvalid(store.get());
      } catch {
        return false;
      }
      store.set({ invalid: { name, definition } });
      writeLocalBackup(saved.id, undefined);
      return true;
    },
    /** Called when the definition is the saved one again. Returns false if the service still has the invalid draft. */
    discard: async (): Promise<boolean> => {
      if (!store.get().invalid) return true;
      try {
        await calls.removeInvalid();
      } catch (error) {
        store.set({ saving: isTransientApiError(error) ? 'offline' : 'refused', refusal: apiErrorSentence(error) });
        return false;
      }
      store.set({ invalid: undefined, saving: 'idle', refusal: undefined, issues: [] });
      return true;
    },
  };
}
