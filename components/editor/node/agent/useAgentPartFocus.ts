import { useEffect, useEffectEvent } from 'react';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { agentPartId, findPartWithField } from '@/components/graph/agent-parts';
import { useEditorActions } from '../../commands/editor-actions';
import { useDraft, useDraftStore } from '../../draft/draft';

/**
 * A check or an error that leads to a field of the model, the memory or a tool of an agent leads to the form of that part.
 * Called after `useFieldFocus`.
 */
export function useAgentPartFocus(node: WorkflowNode): void {
  const store = useDraftStore();
  const { showPart } = useEditorActions();
  const focus = useDraft((draft) => (draft.focus?.nodeId === node.id ? draft.focus : undefined));
  const part = focus && findPartWithField(node, focus.field);
  const partId = part && agentPartId(node.id, part);
  const show = useEffectEvent((id: string) => {
    showPart(id);
    // The form of the agent, which lacks the field, may have taken the focus for done.
    store.set({ focus });
  });
  useEffect(() => {
    if (partId !== undefined) show(partId);
  }, [partId]);
}
