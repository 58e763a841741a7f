import { useEffect, useRef, useState } from 'react';
import { focusFormField, focusFirstField, retryOnFormChange } from '@/components/forms/model/focus-field';
import { FIRST_FORM_FIELD, RESULT_FIELD, useDraft, useDraftStore } from '../draft/draft';
import type { MarkedFieldError } from './useNodeFieldErrors';

/**
 * The tab of a node's panel or dialog. A check or an error chooses the tab of its field, and moves the focus there; a
 * run of the node chooses its result. Until a tab is chosen or used it is the `first` one, which changes when the run
 * shown is loaded or ends. `resultTab`: the tab with the result.
 */
export function useFieldFocus(nodeId: string, first: string, hasResult: boolean, resultTab = 'result') {
  const store = useDraftStore();
  const place = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState<string>();
  const [marked, mark] = useState<MarkedFieldError>();
  const stopLooking = useRef<() => void>(undefined);
  useEffect(() => () => stopLooking.current?.(), []);
  const focus = useDraft((draft) => (draft.focus?.nodeId === nodeId ? draft.focus : undefined));
  useEffect(() => {
    const form = place.current;
    if (!focus || focus.field === RESULT_FIELD || !form || isBehindNodeDialog(form)) return;
    const { field, message } = focus;
    stopLooking.current?.();
    stopLooking.current = retryOnFormChange(form, () =>
      field === FIRST_FORM_FIELD ? focusFirstField(form) : focusFormField(form, field.replace(/^config\./, '')),
    );
    mark(message === undefined ? undefined : { field, message });
    // Once: the next time that the node is selected, its card keeps the focus.
    choose(tabWithField(field, resultTab));
    store.set({ focus: undefined });
  }, [focus, store, resultTab]);
  const isAwaited = focus?.field === RESULT_FIELD && !hasResult;
  const tab = focus && !isAwaited ? tabWithField(focus.field, resultTab) : (chosen ?? first);
  return {
    tab,
    place,
    /** The error of the field that a check led to. */
    marked: focus?.message === undefined ? marked : { field: focus.field, message: focus.message },
    unmark: () => mark(undefined),
    /** Keeps the tab that is in use. */
    keepTab: () => choose(tab),
    onTab: (next: string | null) => {
      choose(next ?? first);
      store.set({ focus: undefined });
    },
    showField: (field: string) => store.set({ focus: { nodeId, field } }),
  };
}

/** The panel of a node stays behind its dialog, which has the same fields. */
const isBehindNodeDialog = (place: Element) =>
  document.querySelector('[aria-modal="true"]') !== null && place.closest('[aria-modal="true"]') === null;

function tabWithField(field: string, resultTab: string): string {
  if (field === RESULT_FIELD) return resultTab;
  return /^(retry|timeoutMs|repeatable|disabled|notes)\b/.test(field) ? 'settings' : 'parameters';
}
