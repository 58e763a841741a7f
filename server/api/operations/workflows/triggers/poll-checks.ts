import type { FieldIssue } from '@/contract/error-response';
import type { PollTrigger } from '@/contract/triggers/poll';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { requireReferenceUse } from '@/server/people/access/references';
import type { DatabaseClient } from '@/server/platform/db/client';
import { toSourceNode, findSourceProblem } from '@/server/triggers/polls/source';
import { invalidRequestProblem } from '@/server/platform/errors/problem';
import { checkTextsAndSchemas, EvaluationFailedError } from '@/server/evaluation/evaluator/evaluation';
import { describeTextProblem } from '@/server/evaluation/expressions/template';
import { cronIssues } from '@/server/workflow/definition/cron';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { activationIssues } from '@/server/workflow/definition/readiness';
import { definitionReferences } from '@/server/workflow/definition/references';

/** The settings of a poll that are checked. */
export type PollSettings = Pick<
  PollTrigger,
  'intervalMs' | 'cron' | 'timezone' | 'node' | 'items' | 'key' | 'cursor' | 'language' | 'enabled'
>;

function pollTimeIssues({ intervalMs, cron, timezone }: PollSettings): FieldIssue[] {
  if (intervalMs !== null && cron !== null)
    return [{ field: 'cron', message: 'is not allowed together with intervalMs' }];
  if (cron !== null) return cronIssues(cron, timezone ?? 'UTC');
  return intervalMs === null ? [{ field: 'intervalMs', message: 'is required, or cron' }] : [];
}

/** The path of the node in the definition that is made for the check. */
const CHECKED_NODE_PATH = 'nodes[0]';

/** The issues of the node, as in a workflow that has it. */
async function pollNodeIssues(
  db: DatabaseClient,
  workspaceId: string,
  { node, enabled, language }: PollSettings,
): Promise<FieldIssue[]> {
  const problem = findSourceProblem(node.type);
  if (problem) return [{ field: 'node.type', message: problem }];
  const definition: WorkflowDefinition = { nodes: [toSourceNode(node)], connections: [], language };
  const issues = await definitionIssues(definition, { workspaceId });
  const all = issues.length > 0 ? issues : await activationIssues(db, workspaceId, definition);
  // Only issues of the node itself count, because a poll has no start node.
  // The node of a disabled poll may still lack its credential.
  const waitsFor = !enabled && node.credentialId === undefined ? `${CHECKED_NODE_PATH}.credentialId` : undefined;
  return all
    .filter(({ field }) => field.startsWith(CHECKED_NODE_PATH) && field !== waitsFor)
    .map(({ field, message }) => ({ field: `node${field.slice(CHECKED_NODE_PATH.length)}`, message }));
}

async function pollExpressionIssues(
  workspaceId: string,
  { items, key, cursor, language }: PollSettings,
): Promise<FieldIssue[]> {
  const fields = Object.entries({ items, key, cursor }).flatMap(([field, text]) =>
    text === null ? [] : [{ field, text }],
  );
  const { texts } = await checkTextsAndSchemas(
    fields.map(({ text }) => ({ text, kind: 'bare', language })),
    [],
    { workspaceId },
  );
  return fields.flatMap(({ field }, index) => {
    const problem = texts[index];
    return problem ? [{ field, message: describeTextProblem(problem) }] : [];
  });
}

/** Throws for settings with which a poll could not work, with all reasons. */
export async function requireValidPoll(db: DatabaseClient, workspaceId: string, settings: PollSettings): Promise<void> {
  const issues = [
    ...pollTimeIssues(settings),
    ...(await pollNodeIssues(db, workspaceId, settings)),
    ...(await pollExpressionIssues(workspaceId, settings).catch(toEvaluationIssue)),
  ];
  if (issues.length > 0) throw invalidRequestProblem(issues);
}

function toEvaluationIssue(error: unknown): FieldIssue[] {
  if (!(error instanceof EvaluationFailedError)) throw error;
  return [{ field: 'items', message: `cannot be checked: ${error.message}` }];
}

/** Throws 403 unless the caller may use what a node refers to: its credential, its connector. */
export async function requireNodeUse(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  node: PollTrigger['node'],
): Promise<void> {
  await requireReferenceUse(db, caller, definitionReferences({ nodes: [toSourceNode(node)], connections: [] }));
}
