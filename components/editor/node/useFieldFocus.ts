import { useEffect, useRef, useState } from 'react';
import { focusField } from '@/components/forms/model/focus-field';
import { RESULT, useDraft, useDraftStore } from '../draft/draft';

/**
 * The tab of a node's panel. A check or an error chooses the tab of its field, and moves the focus there; a run of the node
 * chooses its result.
 */
export function useFieldFocus(nodeId: string, first: string, hasResult: boolean) {
  const store = useDraftStore();
  const place = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState(first);
  const focus = useDraft((draft) => (draft.focus?.nodeId === nodeId ? draft.focus : undefined));
  useEffect(() => {
    if (focus && focus.field !== RESULT && place.current)
      focusField(place.current, focus.field.replace(/^config\./, ''));
  }, [focus]);
  const tab = focus ? tabOf(focus.field, hasResult) : chosen;
  return {
    tab,
    place,
    onTab: (next: string | null) => {
      choose(next ?? first);
      store.set({ focus: undefined });
    },
    showField: (field: string) => store.set({ focus: { nodeId, field } }),
  };
}

function tabOf(field: string, hasResult: boolean): string {
  if (field === RESULT) return hasResult ? 'result' : 'parameters';
  return /^(retry|timeoutMs|repeatable|disabled|notes)\b/.test(field) ? 'settings' : 'parameters';
}
