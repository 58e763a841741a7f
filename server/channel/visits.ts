import type { Presence } from '@/contract/channel';
import { pool } from '../db/client';

/** One connection at one workflow. */
export interface VisitRow {
  id: string;
  workflowId: string;
  userId: string;
}

/** A process that renews nothing for so long is gone, and its visitors with it. */
export const LIFE_SECONDS = 30;
/** People who are named at one workflow. */
const MOST_PEOPLE = 50;

// What is gone meanwhile, a workflow or a person, is no longer visited or visiting.
const WRITE = {
  name: 'visits.write',
  text: `
    INSERT INTO visit (id, workflow_id, user_id, until)
    SELECT v.id, w.id, u.id, now() + interval '${LIFE_SECONDS} seconds'
    FROM unnest($1::text[], $2::text[], $3::text[]) AS v(id, workflow_id, user_id)
    JOIN workflow w ON w.id = v.workflow_id JOIN app_user u ON u.id = v.user_id
    ON CONFLICT (id) DO UPDATE SET until = excluded.until`,
};

const FORGET = {
  name: 'visits.forget',
  text: 'DELETE FROM visit WHERE id = ANY($1::text[]) OR ($2 AND until < now())',
};

const READ = {
  name: 'visits.read',
  text: `
    SELECT "workflowId", "userId", name FROM (
      SELECT v.workflow_id AS "workflowId", u.id AS "userId", u.name,
        row_number() OVER (PARTITION BY v.workflow_id ORDER BY min(v.since), u.id) AS place
      FROM visit v JOIN app_user u ON u.id = v.user_id
      WHERE v.workflow_id = ANY($1::text[]) AND v.until >= now()
      GROUP BY v.workflow_id, u.id
    ) AS person WHERE place <= ${MOST_PEOPLE} ORDER BY "workflowId", place`,
};

/** Writes visits down, or renews them. */
export async function write(rows: readonly VisitRow[]): Promise<void> {
  if (rows.length === 0) return;
  const values = [rows.map(({ id }) => id), rows.map(({ workflowId }) => workflowId), rows.map(({ userId }) => userId)];
  await pool().query({ ...WRITE, values });
}

/** Ends visits, and with `isBeat` also those of processes that are gone. */
export async function forget(ids: readonly string[], isBeat: boolean): Promise<void> {
  if (ids.length > 0 || isBeat) await pool().query({ ...FORGET, values: [ids, isBeat] });
}

/** Who is at which of the workflows: each person once, who came first first. */
export async function readPeople(workflowIds: readonly string[]): Promise<Map<string, Presence['people']>> {
  const { rows } = await pool().query<VisitRow & { name: string }>({ ...READ, values: [workflowIds] });
  const people = new Map<string, Presence['people']>();
  for (const { workflowId, userId, name } of rows) {
    people.set(workflowId, [...(people.get(workflowId) ?? []), { userId, name }]);
  }
  return people;
}
