import type { FieldIssue } from '@/contract/error-response';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { ActivationIssues } from '@/contract/workflows/activation-issues';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { findDisconnectedNodes } from '@/components/graph/disconnected';
import { findUnknownNames } from '@/components/graph/edits/unknown-names';
import { definitionAtPath } from '@/components/graph/body';
import type { EditorDraft } from '../draft/draft';
import { issueWithLabel, locateIssue, nodeTitleAtPath } from './locate-issue';

/** A problem or hint. `path` lists the loops around it from the outside in, `nodeId` is its node. */
export interface WorkflowCheck {
  path: string[];
  nodeId: string | undefined;
  title: string;
  message: string;
  /** The path of the field in the node: `config.url`. */
  field?: string;
  /** The message that is shown beside the field, without the label of the field. */
  said?: string;
  /** A hint does not keep the workflow from running. */
  isHint: boolean;
  /** The hint is about a name that does not exist. */
  isName?: boolean;
}

/**
 * All checks: what the service refused in the draft, what the last saved version lacks to run, unreachable nodes, and
 * names in expressions that do not exist. `variables`: undefined if they are not known.
 */
export function collectChecks(
  { definition, saved, issues }: Pick<EditorDraft, 'definition' | 'saved' | 'issues'>,
  gaps: ActivationIssues | undefined,
  catalogue: NodeTypesByName,
  variables?: ReadonlySet<string>,
): WorkflowCheck[] {
  const titleOf = (path: string[], id: string | undefined) => nodeTitleAtPath(definition, path, id, catalogue);
  const told = (base: WorkflowDefinition, { field, message }: FieldIssue): WorkflowCheck => {
    const place = locateIssue(base, field);
    const { path, nodeId, rest } = place;
    const found = { path, nodeId, title: titleOf(path, nodeId), isHint: false };
    if (nodeId === undefined || rest === '') return { ...found, message };
    return { ...found, field: rest, message: issueWithLabel(base, place, message, catalogue), said: message };
  };
  const lacking = gaps?.version === saved.version ? gaps.gaps.map((gap) => told(saved.definition, gap)) : [];
  const all = [
    ...issues.map((issue) => told(definition, issue)),
    ...lacking,
    ...collectHints(definition, [], { catalogue, variables, titleOf }),
  ];
  const isThere = ({ path, nodeId }: WorkflowCheck) =>
    nodeId === undefined || definitionAtPath(definition, path).nodes.some(({ id }) => id === nodeId);
  return [...new Map(all.filter(isThere).map((check) => [JSON.stringify(check), check])).values()];
}

interface CheckHintContext {
  catalogue: NodeTypesByName;
  variables: ReadonlySet<string> | undefined;
  titleOf(path: string[], id: string): string;
}

/** Hints about the nodes inside the loops of `path`, and in the loops among them. */
function collectHints(whole: WorkflowDefinition, path: string[], context: CheckHintContext): WorkflowCheck[] {
  const { catalogue, variables, titleOf } = context;
  const here = definitionAtPath(whole, path);
  const hint = (nodeId: string, message: string) => ({
    path,
    nodeId,
    title: titleOf(path, nodeId),
    message,
    isHint: true,
  });
  const unreached = [...findDisconnectedNodes(here, catalogue)].map(([id, message]) => hint(id, message));
  const unknown = [...findUnknownNames(whole, path, catalogue, variables)].flatMap(([id, names]) =>
    names.map(({ message, field }) => ({ ...hint(id, message), field, isName: true })),
  );
  const inside = here.nodes.flatMap(({ id, config }) =>
    config.body === undefined ? [] : collectHints(whole, [...path, id], context),
  );
  return [...unreached, ...unknown, ...inside];
}
