import type { PollDeliveryMode, FirstPollMode, PollSourceNode } from '@/contract/triggers/poll';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { KNOWN_ABILITIES } from '@/server/workflow/definition/abilities';
import { databasePool } from '@/server/platform/db/client';

/** Duration of a lease that is not renewed. */
const POLL_LEASE_SECONDS = 20;
export const POLL_LEASE_MS = POLL_LEASE_SECONDS * 1000;
/**
 * Limit of concurrent polls of one workspace, over all processes, so that its slow sources leave capacity for others.
 */
const MAX_POLLS_PER_WORKSPACE = 10;

/** A poll that this process executes; `token` fences what it commits. */
export interface ClaimedPoll {
  id: string;
  name: string;
  token: string;
  workspaceId: string;
  workflowId: string;
  intervalMs: number | null;
  cron: string | null;
  timezone: string | null;
  node: PollSourceNode;
  items: string;
  key: string;
  cursorExpression: string | null;
  language: ExpressionLanguage;
  deliver: PollDeliveryMode;
  first: FirstPollMode;
  /** The start node at which its runs begin; null: every start node. */
  startNodeId: string | null;
  /** JSON of the stored cursor; `null`: none. */
  cursor: string;
  /** True until the poll has succeeded once. */
  isFirst: boolean;
  failures: number;
}

const CLAIMED_POLL_COLUMNS = `p.id, p.name, p.lease_token AS token, w.workspace_id AS "workspaceId", w.id AS "workflowId",
  p.interval_ms AS "intervalMs", p.cron, p.timezone, p.node, p.items, p.key, p.cursor_expression AS "cursorExpression",
  p.language, p.deliver, p.first, p.start_node_id AS "startNodeId", coalesce(p.cursor::text, 'null') AS cursor, p.first_polled_at IS NULL AS "isFirst", p.failures`;

const IS_POLL_UNLEASED_SQL = '(p.lease_until IS NULL OR p.lease_until <= now())';

/**
 * SQL: leases due polls, up to the limit of each workspace; workspaces with few running polls come first.
 * `chosen` repeats the conditions: PostgreSQL checks them again for a row that another process has just changed.
 */
const CLAIM_DUE_POLLS_SQL = `
WITH busy AS (
  SELECT w.workspace_id, count(*) AS under_way FROM poll p JOIN workflow w ON w.id = p.workflow_id
  WHERE p.lease_token IS NOT NULL AND p.lease_until > now() GROUP BY w.workspace_id
), due AS (
  SELECT p.id, p.next_poll_at, coalesce(b.under_way, 0)
    + row_number() OVER (PARTITION BY w.workspace_id ORDER BY p.next_poll_at, p.id) AS place
  FROM poll p JOIN workflow w ON w.id = p.workflow_id LEFT JOIN busy b ON b.workspace_id = w.workspace_id
  WHERE p.enabled AND p.next_poll_at <= $3 AND ${IS_POLL_UNLEASED_SQL} AND w.status = 'active'
), chosen AS (
  SELECT p.id FROM due d JOIN poll p ON p.id = d.id
  WHERE d.place <= ${MAX_POLLS_PER_WORKSPACE} AND p.enabled AND p.next_poll_at <= $3 AND ${IS_POLL_UNLEASED_SQL}
  ORDER BY d.place, d.next_poll_at LIMIT $1
  FOR NO KEY UPDATE OF p SKIP LOCKED
)
UPDATE poll p SET lease_token = $2 || '.' || p.id, lease_until = now() + interval '${POLL_LEASE_SECONDS} seconds'
FROM chosen c, workflow w WHERE p.id = c.id AND w.id = p.workflow_id
RETURNING ${CLAIMED_POLL_COLUMNS}`;

/**
 * Claims due polls for this process. `round`: an id that no other claim has. Tokens begin with the abilities of the
 * process: a trigger of the database (`withhold_poll`) leaves a poll to processes that have those that it requires.
 */
export async function claimDuePolls(limit: number, round: string, now: Date): Promise<ClaimedPoll[]> {
  const values = [limit, `${KNOWN_ABILITIES}~${round}`, now];
  return (await databasePool().query<ClaimedPoll>({ name: 'engine.claim-polls', text: CLAIM_DUE_POLLS_SQL, values }))
    .rows;
}

/** Reads a poll by its id as if it were claimed, for a test that commits nothing. */
export async function findPollById(id: string, workflowId: string): Promise<ClaimedPoll | undefined> {
  const { rows } = await databasePool().query<ClaimedPoll>({
    name: 'engine.find-poll',
    text: `SELECT ${CLAIMED_POLL_COLUMNS} FROM poll p JOIN workflow w ON w.id = p.workflow_id WHERE p.id = $1 AND w.id = $2`,
    values: [id, workflowId],
  });
  return rows[0];
}

/** Renews the leases of running polls. Returns the tokens of the leases that this process still owns. */
export async function renewPollLeases(tokens: string[]): Promise<Set<string>> {
  const { rows } = await databasePool().query<{ token: string }>({
    name: 'engine.renew-polls',
    text: `UPDATE poll SET lease_until = now() + interval '${POLL_LEASE_SECONDS} seconds'
      WHERE lease_token = ANY($1::text[]) RETURNING lease_token AS token`,
    values: [tokens],
  });
  return new Set(rows.map(({ token }) => token));
}

/** Releases an unfinished poll: another process may claim it at once. */
export async function releasePollLease({ id, token }: ClaimedPoll): Promise<void> {
  await databasePool().query({
    name: 'engine.release-poll',
    text: 'UPDATE poll SET lease_token = NULL, lease_until = NULL WHERE id = $1 AND lease_token = $2',
    values: [id, token],
  });
}
