import { useAutosave } from './useAutosave';
import { useLeaveGuard } from './useLeaveGuard';
import { useSave } from './useSave';

/** Saves the draft on request, after a pause in editing, and before the page is left. */
export function useSaving() {
  const saving = useSave();
  useAutosave(saving.save);
  useLeaveGuard();
  return saving;
}
