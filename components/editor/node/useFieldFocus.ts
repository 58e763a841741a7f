import { useEffect, useRef, useState } from 'react';
import { focusField, focusFirstField, whenFound } from '@/components/forms/model/focus-field';
import { FIRST_FIELD, RESULT, useDraft, useDraftStore } from '../draft/draft';
import type { Marked } from './useNodeErrors';

/**
 * The tab of a node's panel or dialog. A check or an error chooses the tab of its field, and moves the focus there; a run of the node
 * chooses its result. Until a tab is chosen or used it is the `first` one, which changes when the run shown is loaded or ends.
 */
export function useFieldFocus(nodeId: string, first: string, hasResult: boolean) {
  const store = useDraftStore();
  const place = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState<string>();
  const [marked, mark] = useState<Marked>();
  const stopLooking = useRef<() => void>(undefined);
  useEffect(() => () => stopLooking.current?.(), []);
  const focus = useDraft((draft) => (draft.focus?.nodeId === nodeId ? draft.focus : undefined));
  useEffect(() => {
    const form = place.current;
    if (!focus || focus.field === RESULT || !form || isBehindDialog(form)) return;
    const { field, message } = focus;
    stopLooking.current?.();
    stopLooking.current = whenFound(form, () =>
      field === FIRST_FIELD ? focusFirstField(form) : focusField(form, field.replace(/^config\./, '')),
    );
    mark(message === undefined ? undefined : { field, message });
    // Once: the next time that the node is selected, its card keeps the focus.
    choose(tabOf(field));
    store.set({ focus: undefined });
  }, [focus, store]);
  const isAwaited = focus?.field === RESULT && !hasResult;
  const tab = focus && !isAwaited ? tabOf(focus.field) : (chosen ?? first);
  return {
    tab,
    place,
    /** What is wrong with the field that a check led to. */
    marked: focus?.message === undefined ? marked : { field: focus.field, message: focus.message },
    unmark: () => mark(undefined),
    /** The tab is used: it stays. */
    keepTab: () => choose(tab),
    onTab: (next: string | null) => {
      choose(next ?? first);
      store.set({ focus: undefined });
    },
    showField: (field: string) => store.set({ focus: { nodeId, field } }),
  };
}

/** The panel of a node stays behind its dialog, which has the same fields. */
const isBehindDialog = (place: Element) =>
  document.querySelector('[aria-modal="true"]') !== null && place.closest('[aria-modal="true"]') === null;

function tabOf(field: string): string {
  if (field === RESULT) return 'result';
  return /^(retry|timeoutMs|repeatable|disabled|notes)\b/.test(field) ? 'settings' : 'parameters';
}
