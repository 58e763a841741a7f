import type { Action, Permission, Resource } from '@/contract/access/security';
import { pool } from '@/server/db/client';
import type { Caller } from './caller';
import type { Subject } from './conditions';

/** Attributes that conditions can read, per resource: selected by id within a workspace. */
const BY_ID: Partial<Record<Resource, string>> = {
  workflow: `SELECT id, name, status, created_by AS "createdBy" FROM workflow WHERE id = $1 AND workspace_id = $2`,
  execution: `SELECT id, status, trigger, workflow_id AS "workflowId", created_by AS "createdBy" FROM execution
    WHERE id = $1 AND workspace_id = $2`,
  credential: `SELECT id, name, status, type, connector_id AS "connectorId", created_by AS "createdBy" FROM credential
    WHERE id = $1 AND workspace_id = $2`,
  webhook: `SELECT h.id, h.workflow_id AS "workflowId", h.created_by AS "createdBy" FROM webhook h
    JOIN workflow w ON w.id = h.workflow_id WHERE h.id = $1 AND w.workspace_id = $2`,
  form: `SELECT f.id, f.workflow_id AS "workflowId", f.created_by AS "createdBy" FROM form f
    JOIN workflow w ON w.id = f.workflow_id WHERE f.id = $1 AND w.workspace_id = $2`,
  chat: `SELECT c.id, c.workflow_id AS "workflowId", c.created_by AS "createdBy" FROM chat c
    JOIN workflow w ON w.id = c.workflow_id WHERE c.id = $1 AND w.workspace_id = $2`,
  schedule: `SELECT s.id, s.workflow_id AS "workflowId", s.created_by AS "createdBy" FROM schedule s
    JOIN workflow w ON w.id = s.workflow_id WHERE s.id = $1 AND w.workspace_id = $2`,
  poll: `SELECT p.id, p.name, p.workflow_id AS "workflowId", p.created_by AS "createdBy" FROM poll p
    JOIN workflow w ON w.id = p.workflow_id WHERE p.id = $1 AND w.workspace_id = $2`,
  alert: `SELECT id, workflow_id AS "workflowId", created_by AS "createdBy" FROM alert WHERE id = $1 AND workspace_id = $2`,
  variable: `SELECT name AS id, name, created_by AS "createdBy" FROM variable WHERE name = $1 AND workspace_id = $2`,
  table: `SELECT id, name, created_by AS "createdBy" FROM data_table WHERE id = $1 AND workspace_id = $2`,
};

/** The attributes of an object; null if the workspace has no such object. */
export async function findSubject(workspaceId: string, resource: Resource, id: string): Promise<Subject | null> {
  const sql = BY_ID[resource];
  if (!sql) return null;
  const { rows } = await pool().query<Subject>(sql, [id, workspaceId]);
  return rows[0] ?? null;
}

/** The same attributes in any workspace, for many objects at once. */
const BY_IDS = {
  execution: {
    name: 'subjects.executions',
    text: `SELECT id, workspace_id AS "workspaceId", workflow_id AS "workflowId", status, trigger,
      created_by AS "createdBy" FROM execution WHERE id = ANY($1::text[])`,
  },
  workflow: {
    name: 'subjects.workflows',
    text: `SELECT id, workspace_id AS "workspaceId", name, status, created_by AS "createdBy" FROM workflow
      WHERE id = ANY($1::text[])`,
  },
};

/** The attributes of objects of any workspace, by id. Unknown ids are left out. */
export async function findSubjects(
  resource: keyof typeof BY_IDS,
  ids: Iterable<string>,
): Promise<Map<string, Subject & { workspaceId: string }>> {
  const { rows } = await pool().query<Subject & { id: string; workspaceId: string }>({
    ...BY_IDS[resource],
    values: [[...new Set(ids)]],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

type Scope = NonNullable<Permission['on']>;

/** Names of objects of a workspace, by `<type> <id>`. Deleted objects are left out. */
export async function namesOf(workspaceId: string, scopes: readonly (Scope | null)[]): Promise<Map<string, string>> {
  const objects = scopes.filter((scope) => scope !== null);
  if (objects.length === 0) return new Map();
  const { rows } = await pool().query<{ key: string; name: string }>(
    `SELECT p.type || ' ' || p.id AS key, coalesce(w.name, c.name, h.path, f.path, a.path, s.cron, l.name, t.name, e.id) AS name
     FROM unnest($2::text[], $3::text[]) AS p(type, id)
     LEFT JOIN webhook h ON p.type = 'webhook' AND h.id = p.id
     LEFT JOIN form f ON p.type = 'form' AND f.id = p.id
     LEFT JOIN chat a ON p.type = 'chat' AND a.id = p.id
     LEFT JOIN schedule s ON p.type = 'schedule' AND s.id = p.id
     LEFT JOIN poll l ON p.type = 'poll' AND l.id = p.id
     LEFT JOIN data_table t ON p.type = 'table' AND t.id = p.id AND t.workspace_id = $1
     LEFT JOIN execution e ON p.type = 'execution' AND e.id = p.id AND e.workspace_id = $1
     LEFT JOIN credential c ON p.type = 'credential' AND c.id = p.id AND c.workspace_id = $1
     LEFT JOIN workflow o ON o.id = coalesce(h.workflow_id, f.workflow_id, a.workflow_id, s.workflow_id, l.workflow_id) AND o.workspace_id = $1
     LEFT JOIN workflow w ON p.type = 'workflow' AND w.id = p.id AND w.workspace_id = $1
     WHERE coalesce(w.id, c.id, o.id, t.id, e.id) IS NOT NULL`,
    [workspaceId, objects.map(({ type }) => type), objects.map(({ id }) => id)],
  );
  return new Map(rows.map(({ key, name }) => [key, name]));
}

/** The path parameter that names the object in an address such as `/api/workflows/{id}/webhooks/{webhookId}`. */
const PARAMETER: Partial<Record<Resource, RegExp>> = {
  workflow: /^\/api\/workflows\/\{(id)\}/,
  execution: /^\/api\/executions\/\{(id)\}/,
  credential: /^\/api\/credentials\/\{(id)\}/,
  webhook: /\/webhooks\/\{(\w+)\}/,
  form: /\/forms\/\{(\w+)\}/,
  chat: /\/chats\/\{(\w+)\}/,
  schedule: /\/schedules\/\{(\w+)\}/,
  poll: /\/polls\/\{(\w+)\}/,
  alert: /^\/api\/alerts\/\{(id)\}/,
  variable: /^\/api\/variables\/\{(name)\}/,
  table: /^\/api\/tables\/\{(id)\}/,
};

/** The object of a call, derived from an operation's address and permission. */
export interface Target {
  path: string;
  resource: Resource;
  action: Action;
}

/**
 * The object that a call is about. A new object belongs to its caller and to the workflow in its address. `missing`:
 * the address names no existing object; null: the call is not about a single object.
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
