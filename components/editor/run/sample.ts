import type { Definition, Node } from '@/contract/workflows/workflow';
import type { Draft } from '../draft/draft';

export const startNodeIn = ({ nodes }: Definition): Node | undefined =>
  nodes.find(({ type, disabled }) => type === 'start' && !disabled);

/** The pinned output of the start node, if it can be the input of a manual run: an object. */
export function sampleInput({
  definition,
  pins,
}: Pick<Draft, 'definition' | 'pins'>): Record<string, unknown> | undefined {
  const start = startNodeIn(definition);
  const sample = start && pins[start.id]?.output;
  return isRecord(sample) ? sample : undefined;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
