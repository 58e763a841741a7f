import type { Definition } from '@/contract/workflow';

/**
 * Whether a value can be drawn as a definition. As much is looked at as drawing relies on; the service checks the rest
 * when it is saved, so that no editor has to load the schemas for it.
 */
export const isDrawable = (value: unknown): value is Definition =>
  isRecord(value) && isListOf(value.nodes, isNode) && isListOf(value.connections, isConnection);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isListOf = (value: unknown, isItem: (item: unknown) => boolean) => Array.isArray(value) && value.every(isItem);

const isNode = (value: unknown) =>
  isRecord(value) &&
  typeof value.id === 'string' &&
  typeof value.type === 'string' &&
  isRecord(value.config) &&
  isRecord(value.position) &&
  Number.isFinite(value.position.x) &&
  Number.isFinite(value.position.y);

const isConnection = (value: unknown) =>
  isRecord(value) &&
  [value.sourceNode, value.sourcePort, value.targetNode, value.targetPort].every((end) => typeof end === 'string');
