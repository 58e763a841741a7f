import type { Definition, Node } from '@/contract/workflows/workflow';
import { pinOf, pinsIn } from '../preview/pins';
import { runPins } from '../preview/run-pins';
import type { Draft } from '../draft/draft';

export const startNodeIn = ({ nodes }: Definition): Node | undefined =>
  nodes.find(({ type, disabled }) => type === 'start' && !disabled);

/** The pinned output of the start node, if it can be the input of a manual run: an object. */
export function sampleInput(workflowId: string, definition: Definition): Record<string, unknown> | undefined {
  const start = startNodeIn(definition);
  const sample = start && pinOf(workflowId, start.id);
  return isRecord(sample) ? sample : undefined;
}

/** The pins that a run of the draft uses. */
export const pinsOf = ({ saved, definition }: Draft) => runPins(definition, pinsIn(saved.id));

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
