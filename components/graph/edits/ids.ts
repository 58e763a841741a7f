import type { WorkflowDefinition } from '@/contract/workflows/workflow';

/** Ids are unique across nodes, notes and groups. */
export const definitionItemIds = ({ nodes, notes = [], groups = [] }: WorkflowDefinition): Set<string> =>
  new Set([...nodes, ...notes, ...groups].map(({ id }) => id));

/** `http_request`, then `http_request_2` …: ids that read well in expressions. */
export function readableNodeId(taken: ReadonlySet<string>, type: string): string {
  let id = type;
  for (let count = 2; taken.has(id); count += 1) id = `${type}_${count}`;
  return id;
}

/** A random id: notes and groups that two people add at the same time must not merge into one. */
export function randomAnnotationId(taken: ReadonlySet<string>, kind: 'note' | 'group'): string {
  let id: string;
  do id = `${kind}_${Math.random().toString(36).slice(2, 10)}`;
  while (taken.has(id));
  return id;
}
