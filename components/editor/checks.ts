import type { FieldError } from '@/contract/error';
import type { Definition, WorkflowGaps } from '@/contract/workflow';
import type { Catalogue } from '../canvas/flow';
import { strays } from '../canvas/strays';
import { nodeTitle } from '../canvas/summary';
import { bodyAt } from './body';
import type { Draft } from './draft';

/** Something to settle. `path` and `nodeId` say where it is: in which loops, from the outside in, and at which node. */
export interface Check {
  path: string[];
  nodeId: string | undefined;
  title: string;
  message: string;
  /** A hint keeps nothing from running. */
  isHint: boolean;
}

const INSIDE = /^nodes\[(\d+)\](?:\.config\.body\.(.*)|\.?(.*))$/;

/** Where `nodes[2].config.body.nodes[0].config.url` points: through the loops to the innermost node. */
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
 * All that is to be settled: what the service refused of the draft, what its last saved version lacks to be run, and the
 * nodes that no run gets to.
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
  const here = [...strays(definition, catalogue)].map(([nodeId, message]) => ({
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
