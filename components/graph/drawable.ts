import type { Definition } from '@/contract/workflows/workflow';

/**
 * Whether a value has all that drawing relies on. The service validates the rest on save, so that the editor does not
 * load the schemas.
 */
export const isDrawable = (value: unknown): value is Definition =>
  isRecord(value) &&
  isListOf(value.nodes, isNode) &&
  isListOf(value.connections, isConnection) &&
  isListOf(value.notes ?? [], isNote) &&
  isListOf(value.groups ?? [], isGroup);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isListOf = (value: unknown, isItem: (item: unknown) => boolean) => Array.isArray(value) && value.every(isItem);

const isNode = (value: unknown) =>
  isRecord(value) &&
  typeof value.id === 'string' &&
  typeof value.type === 'string' &&
  isRecord(value.config) &&
  hasNumbers(value.position, 'x', 'y');

const isConnection = (value: unknown) =>
  isRecord(value) &&
  [value.sourceNode, value.sourcePort, value.targetNode, value.targetPort].every((end) => typeof end === 'string');

const isNote = (value: unknown) =>
  isRecord(value) &&
  typeof value.id === 'string' &&
  typeof value.text === 'string' &&
  hasNumbers(value.position, 'x', 'y') &&
  hasNumbers(value.size, 'width', 'height');

const isGroup = (value: unknown) =>
  isRecord(value) &&
  typeof value.id === 'string' &&
  typeof value.name === 'string' &&
  isListOf(value.nodeIds, (id) => typeof id === 'string');

const hasNumbers = (value: unknown, ...names: string[]) =>
  isRecord(value) && names.every((name) => Number.isFinite(value[name]));
