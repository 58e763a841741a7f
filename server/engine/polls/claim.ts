import type { PollDelivery, PollFirst, PollNode } from '@/contract/triggers/poll';
import { pool } from '@/server/db/client';

/** How long a process has a poll without renewing its lease, in seconds. */
const LEASE_SECONDS = 20;
export const POLL_LEASE_MS = LEASE_SECONDS * 1000;
/** Most polls of one workspace under way at a time, in all processes: its slow sources leave room for others. */
const SHARE = 10;

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
  node: PollNode;
  items: string;
  key: string;
  cursorExpression: string | null;
  deliver: PollDelivery;
  first: PollFirst;
  /** JSON of the stored cursor; `null`: none. */
  cursor: string;
  /** It has never succeeded. */
  isFirst: boolean;
  failures: number;
}

const COLUMNS = `p.id, p.name, p.lease_token AS token, w.workspace_id AS "workspaceId", w.id AS "workflowId",
  p.interval_ms AS "intervalMs", p.cron, p.timezone, p.node, p.items, p.key, p.cursor_expression AS "cursorExpression",
  p.deliver, p.first, coalesce(p.cursor::text, 'null') AS cursor, p.first_polled_at IS NULL AS "isFirst", p.failures`;

const IS_FREE = '(p.lease_until IS NULL OR p.lease_until <= now())';

/**
 * Takes due polls, as many of each workspace as its share allows, and those of workspaces with few polls under way first.
 * `chosen` repeats the conditions: PostgreSQL checks them again for a row that another process has just changed.
 */
const CLAIM = `
WITH busy AS (
  SELECT w.workspace_id, count(*) AS under_way FROM poll p JOIN workflow w ON w.id = p.workflow_id
  WHERE p.lease_token IS NOT NULL AND p.lease_until > now() GROUP BY w.workspace_id
), due AS (
  SELECT p.id, p.next_poll_at, coalesce(b.under_way, 0)
    + row_number() OVER (PARTITION BY w.workspace_id ORDER BY p.next_poll_at, p.id) AS place
  FROM poll p JOIN workflow w ON w.id = p.workflow_id LEFT JOIN busy b ON b.workspace_id = w.workspace_id
  WHERE p.enabled AND p.next_poll_at <= $3 AND ${IS_FREE} AND w.status = 'active'
), chosen AS (
  SELECT p.id FROM due d JOIN poll p ON p.id = d.id
  WHERE d.place <= ${SHARE} AND p.enabled AND p.next_poll_at <= $3 AND ${IS_FREE}
  ORDER BY d.place, d.next_poll_at LIMIT $1
  FOR NO KEY UPDATE OF p SKIP LOCKED
)
UPDATE poll p SET lease_token = $2 || '.' || p.id, lease_until = now() + interval '${LEASE_SECONDS} seconds'
FROM chosen c, workflow w WHERE p.id = c.id AND w.id = p.workflow_id
RETURNING ${COLUMNS}`;

/** Claims due polls for one process at a time. `round`: an id that no other claim has. */
export async function claimPolls(limit: number, round: string, now: Date): Promise<ClaimedPoll[]> {
  const values = [limit, round, now];
  return (await pool().query<ClaimedPoll>({ name: 'engine.claim-polls', text: CLAIM, values })).rows;
}

/** A poll by its id, as it would be claimed: for a test of it, which commits nothing. */
export async function findPoll(id: string, workflowId: string): Promise<ClaimedPoll | undefined> {
  const { rows } = await pool().query<ClaimedPoll>({
    name: 'engine.find-poll',
    text: `SELECT ${COLUMNS} FROM poll p JOIN workflow w ON w.id = p.workflow_id WHERE p.id = $1 AND w.id = $2`,
    values: [id, workflowId],
  });
  return rows[0];
}

/** Renews the leases of polls under way. Returns the tokens of those that this process still has. */
export async function renewLeases(tokens: string[]): Promise<Set<string>> {
  const { rows } = await pool().query<{ token: string }>({
    name: 'engine.renew-polls',
    text: `UPDATE poll SET lease_until = now() + interval '${LEASE_SECONDS} seconds'
      WHERE lease_token = ANY($1::text[]) RETURNING lease_token AS token`,
    values: [tokens],
  });
  return new Set(rows.map(({ token }) => token));
}

/** Gives a poll back that was not finished: another process may take it at once. */
export async function releasePoll({ id, token }: ClaimedPoll): Promise<void> {
  await pool().query({
    name: 'engine.release-poll',
    text: 'UPDATE poll SET lease_token = NULL, lease_until = NULL WHERE id = $1 AND lease_token = $2',
    values: [id, token],
  });
}
