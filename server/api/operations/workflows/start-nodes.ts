import type { FieldIssue } from '@/contract/error-response';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { Workflow as Row } from '@/generated/prisma/client';
import { findBuiltInConnector } from '@/server/connectors';
import type { DatabaseClient } from '@/server/platform/db/client';
import { invalidFieldProblem, invalidRequestProblem } from '@/server/platform/errors/problem';
import { startNodeProblem } from '@/server/workflow/nodes/flow/start';
import { readLastSavedVersion } from './drafts/version-rows';
import { requireReadyToActivate, toWorkflowResponse } from './workflow-rows';

/**
 * Throws 400 unless runs of the workflow can begin at a start node, in the version that triggers run or in the one that
 * was saved last: the editor attaches triggers to start nodes before these are published.
 */
export async function requireStartNode(
  db: DatabaseClient,
  workflow: Row,
  startNodeId: string | null | undefined,
  { field = 'startNodeId', definition = toWorkflowResponse(workflow).definition } = {},
): Promise<void> {
  if (startNodeId === null || startNodeId === undefined) return;
  if (startNodeProblem(definition, startNodeId) === null) return;
  const draft = await readLastSavedVersion(db, workflow);
  const problem = startNodeProblem(draft.definition, startNodeId);
  if (problem !== null) throw invalidFieldProblem(field, problem);
}

interface TriggerStart {
  kind: string;
  name: string;
  startNodeId: string;
}

/** The enabled triggers of a workflow, and its settings, that name a start node which a definition does not have. */
async function findStartNodeGaps(
  db: DatabaseClient,
  { id, settings }: Pick<Row, 'id' | 'settings'>,
  definition: WorkflowDefinition,
): Promise<FieldIssue[]> {
  const triggers = await db.$queryRaw<TriggerStart[]>`
    SELECT kind, name, start_node_id AS "startNodeId" FROM (
      SELECT 'webhook' AS kind, path AS name, start_node_id FROM webhook WHERE workflow_id = ${id} AND enabled
      UNION ALL SELECT 'form', path, start_node_id FROM form WHERE workflow_id = ${id}
      UNION ALL SELECT 'chat', path, start_node_id FROM chat WHERE workflow_id = ${id} AND enabled
      UNION ALL SELECT 'schedule', cron, start_node_id FROM schedule WHERE workflow_id = ${id} AND enabled
      UNION ALL SELECT 'poll', name, start_node_id FROM poll WHERE workflow_id = ${id} AND enabled
    ) trigger WHERE start_node_id IS NOT NULL ORDER BY kind, name`;
  const ofSettings = startNodeProblem(definition, (settings as { startNodeId?: string }).startNodeId ?? null);
  return [
    ...triggers.flatMap(({ kind, name, startNodeId }) => {
      const problem = startNodeProblem(definition, startNodeId);
      return problem === null ? [] : [{ field: 'startNodeId', message: `of the ${kind} ${name} ${problem}` }];
    }),
    ...(ofSettings === null ? [] : [{ field: 'settings.startNodeId', message: ofSettings }]),
  ];
}

/** The enabled webhooks of services that have no account, without which a live workflow would not be called. */
async function findAccountGaps(db: DatabaseClient, workflowId: string): Promise<FieldIssue[]> {
  const webhooks = await db.$queryRaw<{ path: string; connectorId: string }[]>`
    SELECT webhook.path, subscribed.connector_id AS "connectorId" FROM webhook
    JOIN webhook_subscription subscribed ON subscribed.webhook_id = webhook.id AND subscribed.is_current
    WHERE webhook.workflow_id = ${workflowId} AND webhook.enabled AND subscribed.credential_id IS NULL
    ORDER BY webhook.path`;
  return webhooks.map(({ path, connectorId }) => ({
    field: 'subscription.credentialId',
    message: `of the webhook ${path} is required: choose an account of ${findBuiltInConnector(connectorId)?.name ?? connectorId}`,
  }));
}

/** What the triggers of a workflow lack to start runs of a definition. */
export const findTriggerGaps = async (
  db: DatabaseClient,
  workflow: Pick<Row, 'id' | 'settings'>,
  definition: WorkflowDefinition,
): Promise<FieldIssue[]> => [
  ...(await findStartNodeGaps(db, workflow, definition)),
  ...(await findAccountGaps(db, workflow.id)),
];

/** Throws with everything that is missing before triggers may run a definition. */
export async function requireReadyForTriggers(
  db: DatabaseClient,
  workflow: Pick<Row, 'id' | 'settings' | 'workspaceId'>,
  definition: WorkflowDefinition,
): Promise<void> {
  await requireReadyToActivate(db, workflow.workspaceId, definition);
  const gaps = await findTriggerGaps(db, workflow, definition);
  if (gaps.length > 0) throw invalidRequestProblem(gaps, 'The workflow is not ready to run.');
}
