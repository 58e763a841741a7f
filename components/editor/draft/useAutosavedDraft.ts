import { useAutosave } from './useAutosave';
import { useLeaveGuard } from './useLeaveGuard';
import { useDraftSave } from './useDraftSave';

/** Saves the draft on request, after a pause in editing, and before the page is left. */
export function useAutosavedDraft() {
  const saving = useDraftSave();
  useAutosave(saving.save);
  useLeaveGuard();
  return saving;
}
