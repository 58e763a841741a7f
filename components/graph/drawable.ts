import type { WorkflowDefinition } from '@/contract/workflows/workflow';

/**
 * Whether a value has all that drawing relies on. The service validates the rest on save, so that the editor does not
 * load the schemas.
 */
export const isDrawableDefinition = (value: unknown): value is WorkflowDefinition =>
  isFieldRecord(value) &&
  isArrayWhere(value.nodes, isDrawableNode) &&
  isArrayWhere(value.connections, isDrawableConnection) &&
  isArrayWhere(value.notes ?? [], isDrawableNote) &&
  isArrayWhere(value.groups ?? [], isDrawableGroup);

const isFieldRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isArrayWhere = (value: unknown, isItem: (item: unknown) => boolean) =>
  Array.isArray(value) && value.every(isItem);

const isDrawableNode = (value: unknown) =>
  isFieldRecord(value) &&
  typeof value.id === 'string' &&
  typeof value.type === 'string' &&
  isFieldRecord(value.config) &&
  hasNumberFields(value.position, 'x', 'y');

const isDrawableConnection = (value: unknown) =>
  isFieldRecord(value) &&
  [value.sourceNode, value.sourcePort, value.targetNode, value.targetPort].every((end) => typeof end === 'string');

const isDrawableNote = (value: unknown) =>
  isFieldRecord(value) &&
  typeof value.id === 'string' &&
  typeof value.text === 'string' &&
  hasNumberFields(value.position, 'x', 'y') &&
  hasNumberFields(value.size, 'width', 'height');

const isDrawableGroup = (value: unknown) =>
  isFieldRecord(value) &&
  typeof value.id === 'string' &&
  typeof value.name === 'string' &&
  isArrayWhere(value.nodeIds, (id) => typeof id === 'string');

const hasNumberFields = (value: unknown, ...names: string[]) =>
  isFieldRecord(value) && names.every((name) => Number.isFinite(value[name]));
