import type { Action, Permission, Resource } from '@/contract/security';
import { pool } from '../db/client';
import type { Caller } from './caller';
import type { Subject } from './conditions';

/** What conditions may look at, per resource: read by id within a workspace. */
const BY_ID: Partial<Record<Resource, string>> = {
  workflow: `SELECT id, name, status, created_by AS "createdBy" FROM workflow WHERE id = $1 AND workspace_id = $2`,
  execution: `SELECT id, status, trigger, workflow_id AS "workflowId", created_by AS "createdBy" FROM execution
    WHERE id = $1 AND workspace_id = $2`,
  credential: `SELECT id, name, status, type, connector_id AS "connectorId", created_by AS "createdBy" FROM credential
    WHERE id = $1 AND workspace_id = $2`,
  webhook: `SELECT h.id, h.workflow_id AS "workflowId", h.created_by AS "createdBy" FROM webhook h
    JOIN workflow w ON w.id = h.workflow_id WHERE h.id = $1 AND w.workspace_id = $2`,
  schedule: `SELECT s.id, s.workflow_id AS "workflowId", s.created_by AS "createdBy" FROM schedule s
    JOIN workflow w ON w.id = s.workflow_id WHERE s.id = $1 AND w.workspace_id = $2`,
};

/** An object's attributes; null: there is no such object in the workspace. */
export async function findSubject(workspaceId: string, resource: Resource, id: string): Promise<Subject | null> {
  const sql = BY_ID[resource];
  if (!sql) return null;
  const { rows } = await pool().query<Subject>(sql, [id, workspaceId]);
  return rows[0] ?? null;
}

type Place = NonNullable<Permission['on']>;

/** What people call objects of a workspace, by `<type> <id>`; those that are gone are missing. */
export async function namesOf(workspaceId: string, places: readonly (Place | null)[]): Promise<Map<string, string>> {
  const asked = places.filter((place) => place !== null);
  if (asked.length === 0) return new Map();
  const { rows } = await pool().query<{ key: string; name: string }>(
    `SELECT p.type || ' ' || p.id AS key, coalesce(w.name, c.name, h.path, s.cron, e.id) AS name
     FROM unnest($2::text[], $3::text[]) AS p(type, id)
     LEFT JOIN webhook h ON p.type = 'webhook' AND h.id = p.id
     LEFT JOIN schedule s ON p.type = 'schedule' AND s.id = p.id
     LEFT JOIN execution e ON p.type = 'execution' AND e.id = p.id AND e.workspace_id = $1
     LEFT JOIN credential c ON p.type = 'credential' AND c.id = p.id AND c.workspace_id = $1
     LEFT JOIN workflow o ON o.id = coalesce(h.workflow_id, s.workflow_id) AND o.workspace_id = $1
     LEFT JOIN workflow w ON p.type = 'workflow' AND w.id = p.id AND w.workspace_id = $1
     WHERE coalesce(w.id, c.id, o.id, e.id) IS NOT NULL`,
    [workspaceId, asked.map(({ type }) => type), asked.map(({ id }) => id)],
  );
  return new Map(rows.map(({ key, name }) => [key, name]));
}

/** Which path parameter names the object of an address such as `/api/workflows/{id}/webhooks/{webhookId}`. */
const PARAMETER: Partial<Record<Resource, RegExp>> = {
  workflow: /^\/api\/workflows\/\{(id)\}/,
  execution: /^\/api\/executions\/\{(id)\}/,
  credential: /^\/api\/credentials\/\{(id)\}/,
  webhook: /\/webhooks\/\{(\w+)\}/,
  schedule: /\/schedules\/\{(\w+)\}/,
};

/** What a call is about, for an operation's address and permission. */
export interface Target {
  path: string;
  resource: Resource;
  action: Action;
}

/**
 * The object that a call is about. What is yet to be made is its caller's, and belongs to the workflow in its address.
 * `missing`: the address names nothing; null: the call is about no single object.
 */
export async function subjectAt(
  { path, resource, action }: Target,
  params: Record<string, string>,
  caller: Caller,
): Promise<Subject | 'missing' | null> {
  const name = PARAMETER[resource]?.exec(path)?.[1];
  if (name) return (await findSubject(caller.workspaceId, resource, params[name] ?? '')) ?? 'missing';
  const parent = resource !== 'workflow' && PARAMETER.workflow?.test(path) ? { workflowId: params['id'] } : null;
  return action === 'create' ? { ...parent, createdBy: caller.userId } : parent;
}
