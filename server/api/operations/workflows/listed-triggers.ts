import type { ListedTrigger } from '@/contract/workflows/listed-trigger';
import { isAllowedOnEveryObject } from '@/server/people/access/permissions';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import type { DatabaseClient } from '@/server/platform/db/client';

interface ListedTriggerRow {
  workflow_id: string;
  kind: ListedTrigger['kind'];
  service: string | null;
  operation: string | null;
  enabled: boolean;
}

/**
 * The different kinds of triggers of each of these workflows that the caller may see, by the id of the workflow. PostgreSQL cannot read JSON
 * with escapes of characters that it does not store: of a poll with any escape only the kind is told.
 */
export async function readListedTriggers(
  db: DatabaseClient,
  { permissions }: WorkspaceCaller,
  workflowIds: string[],
): Promise<Map<string, ListedTrigger[]>> {
  const rows = await db.$queryRaw<ListedTriggerRow[]>`
    SELECT workflow_id, kind, service, operation, bool_or(enabled) AS enabled FROM (
      SELECT webhook.workflow_id, 'webhook' AS kind, coalesce(subscribed.connector_id, webhook.verification->>'provider') AS service,
        subscribed.event AS operation, enabled
      FROM webhook LEFT JOIN webhook_subscription subscribed ON subscribed.webhook_id = webhook.id AND subscribed.is_current
      WHERE webhook.workflow_id = ANY(${workflowIds})
      UNION ALL SELECT workflow_id, 'schedule', NULL, NULL, enabled FROM schedule WHERE workflow_id = ANY(${workflowIds})
      UNION ALL
      SELECT workflow_id, CASE node->>'type' WHEN 'read_email' THEN 'mail' ELSE 'poll' END, node->'config'->>'connectorId',
        node->'config'->>'operation', enabled
      FROM (
        SELECT workflow_id, CASE strpos(node::text, '\\u') WHEN 0 THEN node END AS node, enabled
        FROM poll WHERE workflow_id = ANY(${workflowIds})
      ) polled
      UNION ALL SELECT workflow_id, 'form', NULL, NULL, true FROM form WHERE workflow_id = ANY(${workflowIds})
      UNION ALL SELECT workflow_id, 'chat', NULL, NULL, enabled FROM chat WHERE workflow_id = ANY(${workflowIds})
    ) listed
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`;
  const triggers = new Map<string, ListedTrigger[]>();
  for (const { workflow_id: id, ...trigger } of rows) {
    if (!isAllowedOnEveryObject(permissions, trigger.kind === 'mail' ? 'poll' : trigger.kind, 'read')) continue;
    triggers.set(id, [...(triggers.get(id) ?? []), trigger]);
  }
  return triggers;
}
