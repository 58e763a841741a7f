import type { FieldError } from '@/contract/error';
import type { Definition, WorkflowGaps } from '@/contract/workflows/workflow';
import type { Catalogue } from '@/components/graph/flow';
import { disconnectedNodes } from '@/components/graph/disconnected';
import { unknownNames } from '@/components/graph/edits/names';
import { bodyAt } from '@/components/graph/body';
import type { Draft } from '../draft/draft';
import { labelled, locate, titleIn } from './locate';

/** A problem or hint. `path` lists the loops around it from the outside in, `nodeId` is its node. */
export interface Check {
  path: string[];
  nodeId: string | undefined;
  title: string;
  message: string;
  /** Its field, by the path in the node: `config.url`. */
  field?: string;
  /** The same beside the field: without its label. */
  said?: string;
  /** A hint does not keep the workflow from running. */
  isHint: boolean;
  /** The hint is about a name that does not exist. */
  isName?: boolean;
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
  const titleOf = (path: string[], id: string | undefined) => titleIn(definition, path, id, catalogue);
  const told = (base: Definition, { field, message }: FieldError): Check => {
    const place = locate(base, field);
    const { path, nodeId, rest } = place;
    const found = { path, nodeId, title: titleOf(path, nodeId), isHint: false };
    if (nodeId === undefined || rest === '') return { ...found, message };
    return { ...found, field: rest, message: labelled(base, place, message, catalogue), said: message };
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
  const unknown = [...unknownNames(whole, path, catalogue, variables)].flatMap(([id, names]) =>
    names.map(({ message, field }) => ({ ...hint(id, message), field, isName: true })),
  );
  const inside = here.nodes.flatMap(({ id, config }) =>
    config.body === undefined ? [] : hintsIn(whole, [...path, id], context),
  );
  return [...unreached, ...unknown, ...inside];
}
