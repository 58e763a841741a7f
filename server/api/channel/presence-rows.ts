import type { PresenceUpdate } from '@/contract/channel';
import { databasePool } from '@/server/platform/db/client';

/** One connection that has a workflow open. */
export interface PresenceRow {
  id: string;
  workflowId: string;
  userId: string;
}

/** Lifetime of a row without renewal: a process that renews nothing for so long has died. */
export const PRESENCE_LIFETIME_SECONDS = 30;
/** Maximum number of viewers in the list of one workflow. */
const MAX_LISTED_VIEWERS = 50;

// Rows of deleted workflows and users are left out.
const WRITE_PRESENCE_STATEMENT = {
  name: 'presence.write',
  text: `
    INSERT INTO presence (id, workflow_id, user_id, until)
    SELECT v.id, w.id, u.id, now() + interval '${PRESENCE_LIFETIME_SECONDS} seconds'
    FROM unnest($1::text[], $2::text[], $3::text[]) AS v(id, workflow_id, user_id)
    JOIN workflow w ON w.id = v.workflow_id JOIN app_user u ON u.id = v.user_id
    ON CONFLICT (id) DO UPDATE SET until = excluded.until`,
};

const DELETE_PRESENCE_STATEMENT = {
  name: 'presence.forget',
  text: 'DELETE FROM presence WHERE id = ANY($1::text[]) OR ($2 AND until < now())',
};

const READ_PRESENCE_QUERY = {
  name: 'presence.read',
  text: `
    SELECT "workflowId", "userId", name FROM (
      SELECT p.workflow_id AS "workflowId", u.id AS "userId", u.name,
        row_number() OVER (PARTITION BY p.workflow_id ORDER BY min(p.since), u.id) AS place
      FROM presence p JOIN app_user u ON u.id = p.user_id
      WHERE p.workflow_id = ANY($1::text[]) AND p.until >= now()
      GROUP BY p.workflow_id, u.id
    ) AS person WHERE place <= ${MAX_LISTED_VIEWERS} ORDER BY "workflowId", place`,
};

/** Inserts rows, or renews them. */
export async function writePresenceRows(rows: readonly PresenceRow[]): Promise<void> {
  if (rows.length === 0) return;
  const values = [rows.map(({ id }) => id), rows.map(({ workflowId }) => workflowId), rows.map(({ userId }) => userId)];
  await databasePool().query({ ...WRITE_PRESENCE_STATEMENT, values });
}

/** Deletes rows; with `isBeat` also the expired rows of dead processes. */
export async function deletePresenceRows(ids: readonly string[], isBeat: boolean): Promise<void> {
  if (ids.length > 0 || isBeat) await databasePool().query({ ...DELETE_PRESENCE_STATEMENT, values: [ids, isBeat] });
}

/** The people who have each of the workflows open: each person once, in the order of arrival. */
export async function readPresentPeople(
  workflowIds: readonly string[],
): Promise<Map<string, PresenceUpdate['people']>> {
  const { rows } = await databasePool().query<PresenceRow & { name: string }>({
    ...READ_PRESENCE_QUERY,
    values: [workflowIds],
  });
  const people = new Map<string, PresenceUpdate['people']>();
  for (const { workflowId, userId, name } of rows) {
    people.set(workflowId, [...(people.get(workflowId) ?? []), { userId, name }]);
  }
  return people;
}
