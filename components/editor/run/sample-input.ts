import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { reachableNodeIds } from '@/components/graph/walk';
import { findRunStart, listStartChoices } from '@/components/ui/start-nodes/start-choices';
import type { EditorDraft } from '../draft/draft';

/** An enabled start node: the one with this id or, if there is none, the first. */
export const findStartNode = ({ nodes }: WorkflowDefinition, id?: string | null): WorkflowNode | undefined => {
  const starts = nodes.filter(({ type, disabled }) => type === 'start' && !disabled);
  return starts.find((start) => start.id === id) ?? starts[0];
};

/**
 * Where a run from the editor begins, if the workflow has several start nodes. A run up to a node begins at one that
 * leads to it. Undefined: there is no choice.
 */
export function findEditorStart(
  { saved, definition }: Pick<EditorDraft, 'saved' | 'definition'>,
  untilNodeId?: string,
): string | undefined {
  const starts = listStartChoices(definition);
  const upstream = untilNodeId === undefined ? undefined : reachableNodeIds(definition, [untilNodeId], 'upstream');
  const leading = upstream ? starts.filter(({ id }) => upstream.has(id)) : starts;
  const chosen = findRunStart(saved.id, leading);
  return chosen?.id ?? (starts.length > 1 ? leading[0]?.id : undefined);
}

/** The pinned output of a start node, if it can be the input of a manual run: an object. */
export function pinnedStartInput(
  { definition, pins }: Pick<EditorDraft, 'definition' | 'pins'>,
  startNodeId: string | undefined,
): Record<string, unknown> | undefined {
  const start = findStartNode(definition, startNodeId);
  const sample = start && pins[start.id]?.output;
  return isNonArrayObject(sample) ? sample : undefined;
}

export const isNonArrayObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
