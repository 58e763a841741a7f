import { isTransient, sentence } from '@/components/client/problem';
import { writeBackup } from '@/components/client/local-backup';
import { useDraftStore } from './draft';
import type { useDraftCalls } from './useDraftCalls';

/** What is stored beside the workflow because it has errors. */
export function useInvalidDraft(calls: ReturnType<typeof useDraftCalls>) {
  const store = useDraftStore();
  return {
    /** False: the service refuses or does not answer; this browser has it. */
    keep: async (): Promise<boolean> => {
      const { saved, name, definition } = store.get();
      try {
        await calls.saveInvalid(store.get());
      } catch {
        return false;
      }
      store.set({ invalid: { name, definition } });
      writeBackup(saved.id, undefined);
      return true;
    },
    /** Called when the definition is the saved one again. False: the service has it still. */
    discard: async (): Promise<boolean> => {
      if (!store.get().invalid) return true;
      try {
        await calls.removeInvalid();
      } catch (error) {
        store.set({ saving: isTransient(error) ? 'offline' : 'refused', refusal: sentence(error) });
        return false;
      }
      store.set({ invalid: undefined, saving: 'idle', refusal: undefined, issues: [] });
      return true;
    },
  };
}
