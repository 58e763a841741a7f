import type { FieldError } from '@/contract/error';
import type { Definition, WorkflowGaps } from '@/contract/workflows/workflow';
import type { Catalogue } from '@/components/graph/flow';
import { disconnectedNodes } from '@/components/graph/disconnected';
import { unknownNames } from '@/components/graph/names';
import { nodeTitle } from '@/components/graph/summary';
import { bodyAt } from '@/components/graph/body';
import { fieldLabel, fieldSentence } from '@/components/forms/field-label';
import type { Schema } from '@/components/forms/schema';
import type { Draft } from '../draft/draft';

/** A problem or hint. `path` lists the loops around it from the outside in, `nodeId` is its node. */
export interface Check {
  path: string[];
  nodeId: string | undefined;
  title: string;
  message: string;
  /** Its field, by the path in the node: `config.url`. */
  field?: string;
  /** A hint does not keep the workflow from running. */
  isHint: boolean;
  /** The hint is about a name that does not exist. */
  isName?: boolean;
}

const INSIDE = /^nodes\[(\d+)\](?:\.config\.body\.(.*)|\.?(.*))$/;

/** Resolves `nodes[2].config.body.nodes[0].config.url` to the loops and the innermost node. */
function locate(definition: Definition, field: string): Pick<Check, 'path' | 'nodeId'> & { rest: string } {
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

/**
 * All checks: what the service refused in the draft, what the last saved version lacks to run, unreachable nodes, and names in
 * expressions that do not exist. `variables`: undefined if they are not known.
 */
export function checksOf(
  { definition, saved, issues }: Pick<Draft, 'definition' | 'saved' | 'issues'>,
  gaps: WorkflowGaps | undefined,
  catalogue: Catalogue,
  variables?: ReadonlySet<string>,
): Check[] {
  const titleOf = (path: string[], id: string | undefined) => {
    const node = bodyAt(definition, path).nodes.find((candidate) => candidate.id === id);
    return node ? nodeTitle(node, catalogue.get(node.type)) : 'Workflow';
  };
  const told = (base: Definition, { field, message }: FieldError): Check => {
    const { path, nodeId, rest } = locate(base, field);
    const found = { path, nodeId, title: titleOf(path, nodeId), isHint: false };
    if (nodeId === undefined || rest === '') return { ...found, message };
    const type = bodyAt(base, path).nodes.find(({ id }) => id === nodeId)?.type ?? '';
    return {
      ...found,
      field: rest,
      message: fieldSentence(labelIn(catalogue.get(type)?.configSchema ?? {}, rest), message),
    };
  };
  const lacking = gaps?.version === saved.version ? gaps.gaps.map((gap) => told(saved.definition, gap)) : [];
  const all = [
    ...issues.map((issue) => told(definition, issue)),
    ...lacking,
    ...hintsIn(definition, [], { catalogue, variables, titleOf }),
  ];
  const isThere = ({ path, nodeId }: Check) =>
    nodeId === undefined || bodyAt(definition, path).nodes.some(({ id }) => id === nodeId);
  return [...new Map(all.filter(isThere).map((check) => [JSON.stringify(check), check])).values()];
}

const SETTINGS: Partial<Record<string, string>> = {
  credentialId: 'Credential',
  timeoutMs: 'Timeout',
  'retry.maxAttempts': 'Attempts',
  'retry.backoffMs': 'Backoff between attempts',
};

const labelIn = (schema: Schema, field: string): string =>
  SETTINGS[field] ?? fieldLabel(schema, field.replace(/^config\./, ''));

interface HintContext {
  catalogue: Catalogue;
  variables: ReadonlySet<string> | undefined;
  titleOf(path: string[], id: string): string;
}

/** Hints about the nodes inside the loops of `path`, and in the loops among them. */
function hintsIn(whole: Definition, path: string[], context: HintContext): Check[] {
  const { catalogue, variables, titleOf } = context;
  const here = bodyAt(whole, path);
  const hint = (nodeId: string, message: string) => ({
    path,
    nodeId,
    title: titleOf(path, nodeId),
    message,
    isHint: true,
  });
  const unreached = [...disconnectedNodes(here, catalogue)].map(([id, message]) => hint(id, message));
  const unknown = [...unknownNames(whole, path, catalogue, variables)].flatMap(([id, messages]) =>
    messages.map((message) => ({ ...hint(id, message), isName: true })),
  );
  const inside = here.nodes.flatMap(({ id, config }) =>
    config.body === undefined ? [] : hintsIn(whole, [...path, id], context),
  );
  return [...unreached, ...unknown, ...inside];
}
