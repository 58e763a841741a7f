import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import type { EditorDraft } from '../draft/draft';

export const findStartNode = ({ nodes }: WorkflowDefinition): WorkflowNode | undefined =>
  nodes.find(({ type, disabled }) => type === 'start' && !disabled);

/** The pinned output of the start node, if it can be the input of a manual run: an object. */
export function pinnedStartInput({
  definition,
  pins,
}: Pick<EditorDraft, 'definition' | 'pins'>): Record<string, unknown> | undefined {
  const start = findStartNode(definition);
  const sample = start && pins[start.id]?.output;
  return isNonArrayObject(sample) ? sample : undefined;
}

export const isNonArrayObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
