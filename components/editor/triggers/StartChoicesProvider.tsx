import { useMemo, type ReactNode } from 'react';
import { listStartChoices, StartChoicesContext, type StartChoice } from '@/components/ui/start-nodes/start-choices';
import { useDraft } from '../draft/draft';
import { useKeepTriggerStarts } from './useKeepTriggerStarts';

/** Offers the start nodes of the draft to the dialogs of the editor. */
export function StartChoicesProvider({ children }: { children: ReactNode }) {
  // A text, so that other changes of the draft render nothing.
  const listed = useDraft((draft) => JSON.stringify(listStartChoices(draft.definition)));
  const starts = useMemo(() => JSON.parse(listed) as StartChoice[], [listed]);
  useKeepTriggerStarts(starts);
  return <StartChoicesContext value={starts}>{children}</StartChoicesContext>;
}
