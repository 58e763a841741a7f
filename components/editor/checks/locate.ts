import type { FieldError } from '@/contract/error';
import type { Definition } from '@/contract/workflows/workflow';
import type { Catalogue } from '@/components/graph/flow';
import { nodeTitle } from '@/components/graph/summary';
import { bodyAt } from '@/components/graph/body';
import { fieldSentence } from '@/contract/field-sentence';
import { fieldLabel } from '@/components/forms/model/field-label';
import type { Schema } from '@/components/forms/model/schema';
import type { Draft } from '../draft/draft';

const INSIDE = /^nodes\[(\d+)\](?:\.config\.body\.(.*)|\.?(.*))$/;

/** `path` lists the loops around a node from the outside in, `rest` is the field in the node. */
interface Place {
  path: string[];
  nodeId: string | undefined;
  rest: string;
}

/** Resolves `nodes[2].config.body.nodes[0].config.url` to the loops and the innermost node. */
export function locate(definition: Definition, field: string): Place {
  const path: string[] = [];
  let [at, left, nodeId]: [Definition, string, string | undefined] = [definition, field, undefined];
  for (let found = INSIDE.exec(left); found; found = INSIDE.exec(left)) {
    if (nodeId !== undefined) path.push(nodeId);
    const [, index, inner, rest = ''] = found;
    nodeId = at.nodes[Number(index)]?.id;
    if (nodeId === undefined || inner === undefined) return { path, nodeId, rest };
    [at, left] = [bodyAt(at, [nodeId]), inner];
  }
  return { path, nodeId, rest: left };
}

/** The issues of a draft without those of a field of a node on its canvas, and of what is in the field: `config.url`, `retry`. */
export function withoutIssues(
  { definition, path, issues }: Pick<Draft, 'definition' | 'path' | 'issues'>,
  nodeId: string,
  field: string,
): FieldError[] {
  const isIn = (rest: string) => rest === field || rest.startsWith(`${field}.`) || rest.startsWith(`${field}[`);
  const left = issues.filter((issue) => {
    const place = locate(definition, issue.field);
    return place.nodeId !== nodeId || place.path.join('/') !== path.join('/') || !isIn(place.rest);
  });
  return left.length === issues.length ? issues : left;
}

const SETTINGS: Partial<Record<string, string>> = {
  credentialId: 'Credential',
  timeoutMs: 'Timeout',
  'retry.maxAttempts': 'Attempts',
  'retry.backoffMs': 'Backoff between attempts',
};

const labelIn = (schema: Schema, field: string): string =>
  SETTINGS[field] ?? fieldLabel(schema, field.replace(/^config\./, ''));

/** What is wrong with a field of a node, with the field's label: `URL is required`. */
export function labelled(definition: Definition, { path, nodeId, rest }: Place, message: string, catalogue: Catalogue) {
  const type = bodyAt(definition, path).nodes.find(({ id }) => id === nodeId)?.type ?? '';
  return fieldSentence(labelIn((catalogue.get(type)?.configSchema ?? {}) as Schema, rest), message);
}

/** The name of a node inside the loops of `path`. */
export function titleIn(definition: Definition, path: string[], id: string | undefined, catalogue: Catalogue): string {
  const node = bodyAt(definition, path).nodes.find((candidate) => candidate.id === id);
  return node ? nodeTitle(node, catalogue.get(node.type)) : 'Workflow';
}

/** The issues of nodes on the canvas as sentences, by node. */
export const sentencesOf = (
  definition: Definition,
  issues: ReadonlyMap<string, FieldError[]>,
  catalogue: Catalogue,
): ReadonlyMap<string, string[]> =>
  new Map(
    [...issues].map(([nodeId, own]) => [
      nodeId,
      own.map(({ field, message }) =>
        field === '' ? message : labelled(definition, { path: [], nodeId, rest: field }, message, catalogue),
      ),
    ]),
  );

/** The first issue of a node as a sentence with the names of node and field; undefined: no issue belongs to a node. */
export function issueSentence(definition: Definition, issues: FieldError[], catalogue: Catalogue): string | undefined {
  for (const { field, message } of issues) {
    const place = locate(definition, field);
    if (place.nodeId === undefined) continue;
    const what = place.rest === '' ? message : labelled(definition, place, message, catalogue);
    return `${titleIn(definition, place.path, place.nodeId, catalogue)}: ${what}`;
  }
  return undefined;
}
