import type { WorkflowNode } from '@/contract/workflows/workflow';

/** A node of a round that computes. */
export const createTransform = (
  id: string,
  name: string,
  position: WorkflowNode['position'],
  expression = 'input',
): WorkflowNode => ({ id, type: 'transform', name, position, config: { expression } });

/**
 * An end of a round. With each item it keeps the position of the one that it came from, which the node with the numbers
 * of the round knows: behind the loop that is the only way back to the items before it.
 */
export const createRoundEnd = (
  id: string,
  name: string,
  position: WorkflowNode['position'],
  numbers: string,
): WorkflowNode => ({
  ...createTransform(id, name, position, `({ item: input, from: paired.${numbers}?.n ?? null })`),
  each: {},
});
