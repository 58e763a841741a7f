import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { exampleValueAt } from '@/components/forms/rules/model/pickable-fields';
import { sortBySources, sourceNodeIds } from './node-input';
import { isRecord, schemaSample } from './schema-sample';

interface NodeScope {
  input: unknown;
  nodes: Readonly<Record<string, unknown>>;
}

/** Nodes whose output is their input, whatever their config. */
const PASSING_TYPES = new Set(['condition', 'switch', 'delay']);

/**
 * The output of a node that has not run, as far as it follows from its input: one item shows the fields of a list.
 * Undefined: only a run
 * can tell.
 */
export function expectedOutput(node: WorkflowNode, scope: NodeScope): unknown {
  const { type, config, disabled, each } = node;
  if (disabled) return scope.input;
  if (each) return undefined;
  if (PASSING_TYPES.has(type)) return scope.input;
  const first = (field: string) => firstItem(config[field], scope);
  const item = first('items');
  switch (type) {
    case 'start':
      return isRecord(config.inputSchema) ? schemaSample(config.inputSchema) : undefined;
    case 'filter':
    case 'sort':
    case 'dedupe':
      return item === undefined ? undefined : [item];
    case 'split':
      return item === undefined ? undefined : [[item]];
    case 'aggregate':
      return item === undefined ? undefined : [expectedGroup(config, item)];
    case 'merge':
      return mergedItem(config.mode, first('left'), first('right'));
    default:
      return undefined;
  }
}

/** The first item of the list at the path of a field. A single value is a list of one. */
function firstItem(path: unknown, scope: NodeScope): unknown {
  const value = typeof path === 'string' ? exampleValueAt({ ...scope }, path.trim()) : undefined;
  return (Array.isArray(value) ? (value[0] as unknown) : value) ?? undefined;
}

function mergedItem(mode: unknown, left: unknown, right: unknown): unknown {
  if (left === undefined || right === undefined) return undefined;
  if (mode === 'append') return [left];
  return isRecord(left) && isRecord(right) ? [{ ...left, ...right }] : [{ left, right }];
}

/** An example of what `aggregate` gives for a group: the values by their paths, and the measures by their names. */
function expectedGroup({ groupBy, measures }: WorkflowNode['config'], item: unknown): Record<string, unknown> {
  const fields = Array.isArray(groupBy) ? groupBy.filter((path) => typeof path === 'string') : [];
  const names = (Array.isArray(measures) ? measures : []).filter(isRecord);
  return Object.fromEntries([
    ...fields.map((path) => [path, fieldOfItem(item, path)]),
    ...names.map(({ name, operation, field }) => [
      String(name),
      exampleMeasure(operation, typeof field === 'string' && field !== '' ? fieldOfItem(item, field) : item),
    ]),
  ]) as Record<string, unknown>;
}

function exampleMeasure(operation: unknown, value: unknown): unknown {
  if (operation === 'count') return 1;
  if (operation === 'join') return String(value);
  return operation === 'list' ? [value] : value;
}

const fieldOfItem = (item: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), item);

/** The expected outputs of the nodes before a node that have no output, in the order of the graph. */
export function expectedOutputsBefore(
  definition: WorkflowDefinition,
  before: ReadonlySet<string>,
  known: (nodeId: string) => unknown,
): Map<string, unknown> {
  const expected = new Map<string, unknown>();
  const outputs: Record<string, unknown> = {};
  for (const node of sortBySources(definition, before)) {
    const output = known(node.id);
    if (output !== undefined) outputs[node.id] = output;
    else {
      const guess = expectedOutput(node, { input: joinedInput(definition, node.id, outputs), nodes: outputs });
      if (guess === undefined) continue;
      expected.set(node.id, guess);
      outputs[node.id] = guess;
    }
  }
  return expected;
}

/** The output of the single source of a node, or the outputs of several by id. Undefined: none is known. */
export function joinedInput(
  definition: WorkflowDefinition,
  nodeId: string,
  outputs: Readonly<Record<string, unknown>>,
): unknown {
  const sources = sourceNodeIds(definition, nodeId);
  const [only] = sources;
  if (sources.length === 1 && only !== undefined) return outputs[only];
  const given = sources.flatMap((id) => (outputs[id] === undefined ? [] : [[id, outputs[id]] as const]));
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}
