import type { FieldError } from '@/contract/error';
import type { Definition, WorkflowGaps } from '@/contract/workflow';
import type { Catalogue } from '@/components/graph/flow';
import { disconnectedNodes } from '@/components/graph/disconnected';
import { nodeTitle } from '@/components/graph/summary';
import { bodyAt } from '@/components/graph/body';
import type { Draft } from '../draft/draft';

/** A problem or hint. `path` lists the loops around it from the outside in, `nodeId` is its node. */
export interface Check {
  path: string[];
  nodeId: string | undefined;
  title: string;
  message: string;
  /** A hint does not keep the workflow from running. */
  isHint: boolean;
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
 * All checks: what the service refused in the draft, what the last saved version lacks to run, and unreachable nodes.
 */
export function checksOf(
  { definition, saved, issues }: Pick<Draft, 'definition' | 'saved' | 'issues'>,
  gaps: WorkflowGaps | undefined,
  catalogue: Catalogue,
): Check[] {
  const titleOf = (path: string[], id: string | undefined) => {
    const node = bodyAt(definition, path).nodes.find((candidate) => candidate.id === id);
    return node ? nodeTitle(node, catalogue.get(node.type)) : 'Workflow';
  };
  const told = (base: Definition, { field, message }: FieldError): Check => {
    const { path, nodeId, rest } = locate(base, field);
    const words = `${rest.replace(/^config\./, '')} ${message}`.trim();
    return { path, nodeId, title: titleOf(path, nodeId), message: words, isHint: false };
  };
  const lacking = gaps?.version === saved.version ? gaps.gaps.map((gap) => told(saved.definition, gap)) : [];
  const all = [
    ...issues.map((issue) => told(definition, issue)),
    ...lacking,
    ...hintsIn(definition, [], catalogue, titleOf),
  ];
  const isThere = ({ path, nodeId }: Check) =>
    nodeId === undefined || bodyAt(definition, path).nodes.some(({ id }) => id === nodeId);
  return [...new Map(all.filter(isThere).map((check) => [JSON.stringify(check), check])).values()];
}

function hintsIn(
  definition: Definition,
  path: string[],
  catalogue: Catalogue,
  titleOf: (path: string[], id: string) => string,
): Check[] {
  const here = [...disconnectedNodes(definition, catalogue)].map(([nodeId, message]) => ({
    path,
    nodeId,
    title: titleOf(path, nodeId),
    message,
    isHint: true,
  }));
  const inside = definition.nodes.flatMap(({ id, config }) =>
    config.body === undefined ? [] : hintsIn(bodyAt(definition, [id]), [...path, id], catalogue, titleOf),
  );
  return [...here, ...inside];
}
