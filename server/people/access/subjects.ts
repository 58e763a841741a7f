import type { PermissionAction, ScopedPermission, PermissionResource } from '@/contract/access/security';
import { databasePool } from '@/server/platform/db/client';
import type { WorkspaceCaller } from './caller';
import type { AccessSubject } from './conditions';

/** Attributes that conditions can read, per resource: selected by id within a workspace. */
const SUBJECT_QUERIES: Partial<Record<PermissionResource, string>> = {
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
export async function findAccessSubject(
  workspaceId: string,
  resource: PermissionResource,
  id: string,
): Promise<AccessSubject | null> {
  const sql = SUBJECT_QUERIES[resource];
  if (!sql) return null;
  const { rows } = await databasePool().query<AccessSubject>(sql, [id, workspaceId]);
  return rows[0] ?? null;
}

/** The same attributes in any workspace, for many objects at once. */
const SUBJECT_BATCH_QUERIES = {
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
export async function findAccessSubjects(
  resource: keyof typeof SUBJECT_BATCH_QUERIES,
  ids: Iterable<string>,
): Promise<Map<string, AccessSubject & { workspaceId: string }>> {
  const { rows } = await databasePool().query<AccessSubject & { id: string; workspaceId: string }>({
    ...SUBJECT_BATCH_QUERIES[resource],
    values: [[...new Set(ids)]],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

type GrantScope = NonNullable<ScopedPermission['on']>;

/** Names of objects of a workspace, by `<type> <id>`. Deleted objects are left out. */
export async function findScopeNames(
  workspaceId: string,
  scopes: readonly (GrantScope | null)[],
): Promise<Map<string, string>> {
  const objects = scopes.filter((scope) => scope !== null);
  if (objects.length === 0) return new Map();
  const { rows } = await databasePool().query<{ key: string; name: string }>(
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
const RESOURCE_PATH_PATTERNS: Partial<Record<PermissionResource, RegExp>> = {
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
export interface AccessTarget {
  path: string;
  resource: PermissionResource;
  action: PermissionAction;
}

/**
 * The object that a call is about. A new object belongs to its caller and to the workflow in its address. `missing`:
 * the address names no existing object; null: the call is not about a single object.
 */
export async function findCallSubject(
  { path, resource, action }: AccessTarget,
  params: Record<string, string>,
  caller: WorkspaceCaller,
): Promise<AccessSubject | 'missing' | null> {
  const name = RESOURCE_PATH_PATTERNS[resource]?.exec(path)?.[1];
  if (name) return (await findAccessSubject(caller.workspaceId, resource, params[name] ?? '')) ?? 'missing';
  const parent =
    resource !== 'workflow' && RESOURCE_PATH_PATTERNS.workflow?.test(path) ? { workflowId: params['id'] } : null;
  return action === 'create' ? { ...parent, createdBy: caller.userId } : parent;
}
