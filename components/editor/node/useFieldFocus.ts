import { useEffect, useRef, useState } from 'react';
import { focusField } from '@/components/forms/focus-field';
import { useDraft, useDraftStore } from '../draft/draft';

/** The tab of a node's panel. A check or an error chooses the tab of its field, and moves the focus there. */
export function useFieldFocus(nodeId: string, first: string) {
  const store = useDraftStore();
  const place = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState(first);
  const focus = useDraft((draft) => (draft.focus?.nodeId === nodeId ? draft.focus : undefined));
  useEffect(() => {
    if (focus && place.current) focusField(place.current, focus.field.replace(/^config\./, ''));
  }, [focus]);
  const tab = focus
    ? /^(retry|timeoutMs|repeatable|disabled|notes)\b/.test(focus.field)
      ? 'settings'
      : 'parameters'
    : chosen;
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
