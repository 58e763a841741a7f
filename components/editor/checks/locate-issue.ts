import type { FieldIssue } from '@/contract/error-response';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { agentPartId, findPartWithField, partOwnerId } from '@/components/graph/agent-parts';
import { nodeTitle } from '@/components/graph/summary';
import { definitionAtPath } from '@/components/graph/body';
import { fieldIssueSentence } from '@/contract/field-sentence';
import { fieldPathLabel } from '@/components/forms/model/field-label';
import type { FieldSchema } from '@/components/forms/model/field-schema';
import type { EditorDraft } from '../draft/draft';

const NODE_PATH_PATTERN = /^nodes\[(\d+)\](?:\.config\.body\.(.*)|\.?(.*))$/;

/** `path` lists the loops around a node from the outside in, `rest` is the field in the node. */
interface IssueLocation {
  path: string[];
  nodeId: string | undefined;
  rest: string;
}

/** Resolves `nodes[2].config.body.nodes[0].config.url` to the loops and the innermost node. */
export function locateIssue(definition: WorkflowDefinition, field: string): IssueLocation {
  const path: string[] = [];
  let [at, left, nodeId]: [WorkflowDefinition, string, string | undefined] = [definition, field, undefined];
  for (let found = NODE_PATH_PATTERN.exec(left); found; found = NODE_PATH_PATTERN.exec(left)) {
    if (nodeId !== undefined) path.push(nodeId);
    const [, index, inner, rest = ''] = found;
    nodeId = at.nodes[Number(index)]?.id;
    if (nodeId === undefined || inner === undefined) return { path, nodeId, rest };
    [at, left] = [definitionAtPath(at, [nodeId]), inner];
  }
  return { path, nodeId, rest: left };
}

/**
 * The issues of a draft without those of a field of a node on its canvas, and of what is in the field: `config.url`,
 * `retry`.
 */
export function dropFieldIssues(
  { definition, path, issues }: Pick<EditorDraft, 'definition' | 'path' | 'issues'>,
  nodeId: string,
  field: string,
): FieldIssue[] {
  const isIn = (rest: string) => rest === field || rest.startsWith(`${field}.`) || rest.startsWith(`${field}[`);
  const left = issues.filter((issue) => {
    const place = locateIssue(definition, issue.field);
    return place.nodeId !== nodeId || place.path.join('/') !== path.join('/') || !isIn(place.rest);
  });
  return left.length === issues.length ? issues : left;
}

const NODE_SETTING_LABELS: Partial<Record<string, string>> = {
  config: 'The node',
  credentialId: 'Credential',
  timeoutMs: 'Timeout',
  'retry.maxAttempts': 'Attempts',
  'retry.backoffMs': 'Backoff between attempts',
  each: 'For each item',
  'each.items': 'List of “For each item”',
  'each.concurrency': 'At a time',
};

/** The label of a field of a node, by its path in the node. */
export const nodeFieldLabel = (schema: FieldSchema, field: string): string =>
  NODE_SETTING_LABELS[field] ?? fieldPathLabel(schema, field.replace(/^config\./, ''));

/** The issue of a field as a sentence that begins with the label of the field: `URL is required`. */
export function issueWithLabel(
  definition: WorkflowDefinition,
  { path, nodeId, rest }: IssueLocation,
  message: string,
  catalogue: NodeTypesByName,
) {
  const type = definitionAtPath(definition, path).nodes.find(({ id }) => id === nodeId)?.type ?? '';
  return fieldIssueSentence(nodeFieldLabel((catalogue.get(type)?.configSchema ?? {}) as FieldSchema, rest), message);
}

/** The name of a node inside the loops of `path`. */
export function nodeTitleAtPath(
  definition: WorkflowDefinition,
  path: string[],
  id: string | undefined,
  catalogue: NodeTypesByName,
): string {
  const node = definitionAtPath(definition, path).nodes.find((candidate) => candidate.id === id);
  return node ? nodeTitle(node, catalogue.get(node.type)) : 'Workflow';
}

/** The issues of agents that belong to the form of a part, by the ids of the parts. */
export function moveIssuesToParts(
  { nodes }: WorkflowDefinition,
  issues: ReadonlyMap<string, FieldIssue[]>,
): ReadonlyMap<string, FieldIssue[]> {
  const moved = new Map<string, FieldIssue[]>();
  for (const [nodeId, own] of issues) {
    const node = nodes.find(({ id }) => id === nodeId);
    for (const issue of own) {
      const part = node && findPartWithField(node, issue.field);
      const id = part ? agentPartId(nodeId, part) : nodeId;
      moved.set(id, [...(moved.get(id) ?? []), issue]);
    }
  }
  return moved;
}

/** The issues of nodes on the canvas, and of parts of agents, as sentences by their ids. */
export const issueSentencesByNode = (
  definition: WorkflowDefinition,
  issues: ReadonlyMap<string, FieldIssue[]>,
  catalogue: NodeTypesByName,
): ReadonlyMap<string, string[]> =>
  new Map(
    [...issues].map(([nodeId, own]) => [
      nodeId,
      own.map(({ field, message }) =>
        field === ''
          ? message
          : issueWithLabel(definition, { path: [], nodeId: partOwnerId(nodeId), rest: field }, message, catalogue),
      ),
    ]),
  );

/** The first issue of a node as a sentence with the names of node and field; undefined: no issue belongs to a node. */
export function firstIssueSentence(
  definition: WorkflowDefinition,
  issues: FieldIssue[],
  catalogue: NodeTypesByName,
): string | undefined {
  for (const { field, message } of issues) {
    const place = locateIssue(definition, field);
    if (place.nodeId === undefined) continue;
    const what = place.rest === '' ? message : issueWithLabel(definition, place, message, catalogue);
    return `${nodeTitleAtPath(definition, place.path, place.nodeId, catalogue)}: ${what}`;
  }
  return undefined;
}
