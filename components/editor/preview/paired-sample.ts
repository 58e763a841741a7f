import type { NodeResult } from '@/contract/execution';
import { readItemListReference } from '@/contract/workflows/item-list';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import type { OutputsByNode } from '../pins/pinned-outputs';
import { isRecord } from './schema-sample';

/** `paired` for the first item of a node with `each`, and why it does not lead further. */
export interface PairedSample {
  paired: Record<string, unknown>;
  end: string;
}

/** The data in which items are followed. */
interface FollowedData {
  definition: WorkflowDefinition;
  /** The outputs that expressions see, by node. */
  outputs: OutputsByNode;
  results: ReadonlyMap<string, NodeResult>;
  pins: OutputsByNode;
  titles: Readonly<Record<string, string>>;
}

/** A list whose items a node works on. `isDivided`: only some of the items left by the port. */
interface SampleSource {
  id: string;
  output: unknown;
  isDivided: boolean;
}

/** Items in the list of a node: their indexes, or what they have to be like. */
type WantedItems = { indexes: number[] } | { fits: (item: unknown) => boolean };

/** Items of the output of a node, which are all equal: nobody can tell which of them it is. */
interface FoundItems {
  id: string;
  positions: number[];
  /** Undefined: the output is one value, no list. */
  list: unknown[] | undefined;
  value: unknown;
}

/** The way ends, for a reason. */
class PairingEnd extends Error {}

/** A page compares at most this many items. */
const MAX_COMPARED_ITEMS = 10_000;

const toText = (value: unknown) => JSON.stringify(value);
const fitsValue = (value: unknown) => {
  const text = toText(value);
  return (item: unknown) => toText(item) === text;
};

/** Follows the first item of a node with `each` back from list to list, as a run does, with the data of the last run. */
export function followFirstItem(node: WorkflowNode, data: FollowedData): PairedSample {
  const paired: Record<string, unknown> = {};
  const byId = new Map(data.definition.nodes.map((one) => [one.id, one]));
  try {
    let wanted: WantedItems = { indexes: [0] };
    for (let owner = node, left = byId.size; left >= 0; left -= 1) {
      const found = locateItems(owner, wanted, data);
      paired[found.id] = found.value;
      const next = byId.get(found.id);
      if (!next) throw new PairingEnd(`${titleText(found.id, data)} is outside of the loop.`);
      wanted = traceItems(next, found, data);
      owner = next;
    }
    return { paired, end: '' };
  } catch (error) {
    if (!(error instanceof PairingEnd)) throw error;
    return { paired, end: error.message };
  }
}

const titleText = (id: string, { titles }: FollowedData) => `“${titles[id] ?? id}”`;

/** The expression that names the list of a node. */
const listExpression = ({ type, config, each }: WorkflowNode): unknown =>
  each ? (each.items ?? 'input') : config[type === 'merge' ? 'left' : 'items'];

/** The lists that a node works on. */
function listSampleSources(owner: WorkflowNode, data: FollowedData): SampleSource[] {
  const { definition, outputs, results, pins } = data;
  const expression = listExpression(owner);
  const reference = typeof expression === 'string' ? readItemListReference(expression.trim()) : undefined;
  if (!reference)
    throw new PairingEnd(`${titleText(owner.id, data)} takes its items from an expression, not from a whole output.`);
  if (reference.kind === 'node') return [{ id: reference.id, output: outputs[reference.id], isDivided: false }];
  const found = definition.connections.flatMap(({ sourceNode: id, sourcePort, targetNode }): SampleSource[] => {
    const { port, ports } = (id in pins ? undefined : results.get(id)) ?? {};
    const isTaken = ports ? sourcePort in ports : port === undefined || port === sourcePort;
    if (targetNode !== owner.id || !isTaken) return [];
    return [{ id, output: outputs[id], isDivided: ports !== undefined && Object.keys(ports).length > 1 }];
  });
  if (found.length > 1 && !owner.each) throw new PairingEnd(`${titleText(owner.id, data)} gets several lists.`);
  return found;
}

/** Finds items of the list of a node in the outputs that it comes from. */
function locateItems(owner: WorkflowNode, wanted: WantedItems, data: FollowedData): FoundItems {
  const sources = listSampleSources(owner, data);
  const given = data.results.get(owner.id)?.input;
  let before = 0;
  for (const { id, output, isDivided } of sources) {
    if (output === undefined) throw new PairingEnd(`${titleText(id, data)} has no data yet.`);
    const list = Array.isArray(output) ? (output as unknown[]) : undefined;
    const items = list ?? (output === null ? [] : [output]);
    if (items.length > MAX_COMPARED_ITEMS)
      throw new PairingEnd(`${titleText(id, data)} has too many items to follow one here.`);
    const looked = isDivided && 'indexes' in wanted ? toFittingItems(wanted.indexes, given, sources) : wanted;
    if (!looked) throw new PairingEnd(`${titleText(id, data)} sends its items to several ports: only a run can tell.`);
    const positions =
      'indexes' in looked
        ? looked.indexes.map((index) => index - before).filter((index) => index >= 0 && index < items.length)
        : [...items.keys()].filter((index) => looked.fits(items[index]));
    before += items.length;
    const [first] = positions;
    if (first === undefined) continue;
    const value = items[first];
    if (!positions.every((position) => fitsValue(value)(items[position]))) break;
    return { id, positions, list, value };
  }
  const [id] = sources.map((source) => source.id);
  throw new PairingEnd(
    id === undefined
      ? `Nothing is connected to ${titleText(owner.id, data)}.`
      : `Which item of ${titleText(id, data)} it was, only a run can tell.`,
  );
}

/** The items at indexes of the list that a node was given; undefined: it is not known, or has several senders. */
function toFittingItems(indexes: number[], given: unknown, sources: SampleSource[]): WantedItems | undefined {
  const [index] = indexes;
  if (!Array.isArray(given) || index === undefined || indexes.length > 1 || sources.length > 1) return undefined;
  return index < given.length ? { fits: fitsValue(given[index]) } : undefined;
}

/** Where these items of the output of a node came from, in the list of that node. */
function traceItems(node: WorkflowNode, { positions, list, value }: FoundItems, data: FollowedData): WantedItems {
  const { type, config, each, disabled } = node;
  const title = titleText(node.id, data);
  if (!list) throw new PairingEnd(`${title} gives one value, not a list.`);
  if (node.id in data.pins) throw new PairingEnd(`The output of ${title} is pinned.`);
  if (disabled) throw new PairingEnd(`${title} is turned off.`);
  if (each) {
    if (each.flatten) throw new PairingEnd(`${title} joins lists: only a run can tell.`);
    if (each.onError === 'drop' && countItems(node, data) !== list.length)
      throw new PairingEnd(`${title} left out items: only a run can tell.`);
    return { indexes: positions };
  }
  switch (type) {
    case 'filter':
    case 'sort':
    case 'dedupe':
      return { fits: fitsValue(value) };
    case 'split': {
      const { size } = config;
      if (typeof size === 'number') return { indexes: positions.map((position) => position * size) };
      return { fits: fitsValue(Array.isArray(value) ? value[0] : value) };
    }
    case 'merge': {
      if ((config.join === 'outer' || config.mode === 'append') && isBehindItems(positions, countItems(node, data)))
        throw new PairingEnd(`${title} has it from its right list.`);
      if (config.mode === 'by_position' || config.mode === 'append') return { indexes: positions };
      return { fits: fitsMerged(value, rightFields(config.right, data)) };
    }
    default:
      throw new PairingEnd(`${title} makes a list of its own.`);
  }
}

const isBehindItems = (positions: number[], count: number | null) =>
  positions.some((position) => count === null || position >= count);

/** The number of items that a node worked on; null: not known. */
function countItems(node: WorkflowNode, data: FollowedData): number | null {
  let count = 0;
  for (const { output, isDivided } of listSampleSources(node, data)) {
    if (isDivided || output === undefined) return null;
    count += Array.isArray(output) ? output.length : Number(output !== null);
  }
  return count;
}

/** The names of fields that the right list of a merge has; undefined: not known. */
function rightFields(right: unknown, { outputs }: FollowedData): Set<string> | undefined {
  const reference = typeof right === 'string' ? readItemListReference(right.trim()) : undefined;
  const list = reference?.kind === 'node' ? outputs[reference.id] : undefined;
  if (!Array.isArray(list) || list.length > MAX_COMPARED_ITEMS) return undefined;
  return new Set((list as unknown[]).filter(isRecord).flatMap((item) => Object.keys(item)));
}

/** Whether a left item may be part of a merged one, whose right item wins where both have a field. */
const fitsMerged = (merged: unknown, replaced: ReadonlySet<string> | undefined) => {
  const fitsWhole = fitsValue(merged);
  return (item: unknown): boolean => {
    if (fitsWhole(item)) return true;
    if (!isRecord(merged)) return false;
    if (!isRecord(item)) return 'left' in merged && fitsValue(merged.left)(item);
    const isPart = Object.entries(item).every(
      ([name, value]) =>
        name in merged && (replaced === undefined || replaced.has(name) || fitsValue(value)(merged[name])),
    );
    // A right item that is no object stands beside the left one.
    return isPart || ('left' in merged && fitsValue(merged.left)(item));
  };
};
