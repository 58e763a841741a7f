import { isLargeJson, serializeJson } from '@/server/evaluation/expressions/large-json';
import { findScopeReferences } from '@/server/evaluation/expressions/references';
import type { EvaluationScope } from '@/server/evaluation/expressions/scope';
import { parseStoredJson } from '@/server/platform/messages/json-in-pieces';
import { completeNode, type NodeRunResult } from './node-type';

/** What the prelude of n8n writes for a whole list: its values, and where each came from. */
interface WrittenItemList {
  $items: unknown[];
  $origins: (number | null)[];
}

const isItemList = (value: unknown): value is WrittenItemList =>
  typeof value === 'object' &&
  value !== null &&
  Array.isArray((value as Partial<WrittenItemList>).$items) &&
  Array.isArray((value as Partial<WrittenItemList>).$origins);

const LARGE_LIST_BEGINNING = '{"$items":[';

function completeItemList(value: unknown): NodeRunResult {
  if (!isItemList(value)) return completeNode(value);
  return { kind: 'done', port: 'output', output: value.$items, origins: value.$origins };
}

/** The result of a node with the prelude of n8n: a list of items, or a value as it is. */
export function completePreludeValue(value: unknown): NodeRunResult | Promise<NodeRunResult> {
  if (!isLargeJson(value)) return completeItemList(value);
  if (!value.text.startsWith(LARGE_LIST_BEGINNING)) return completeNode(value);
  return parseStoredJson(value.text).then(completeItemList);
}

/** The data of code with the names of n8n. The outputs of nodes are texts, which it parses when it reads them. */
export function describePreludeData(scope: EvaluationScope, source: string): object {
  const references = findScopeReferences(source, 'n8n');
  const names = new Map(Object.entries(scope.prelude?.names ?? {}).map(([name, id]) => [id, name]));
  const outputs = Object.entries(scope.nodes).filter(
    ([id, output]) => output !== null && references.node(id, names.get(id)),
  );
  const nodes = Object.fromEntries(outputs.map(([id, output]) => [id, serializeJson(output) ?? 'null']));
  return { ...scope, nodes };
}
