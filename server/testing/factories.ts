import type { SystemRole } from '@/contract/access/security';
import type { WorkspaceTier } from '@/contract/tier';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { routeWebRequest } from '@/server/api/http/routes';
import { PEER_ADDRESS_HEADER } from '@/server/platform/messages/client-address';
import { hashPassword } from '@/server/people/auth/password';
import { systemRoleId } from '@/server/platform/db/system-role-id';
import { openLoginSession } from '@/server/people/auth/session';
import { issueAccessToken } from '@/server/people/auth/tokens';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';

export const PASSWORD = 'correct horse battery';

let count = 0;
/** Different at each call, for names that must be. */
export const unique = (word: string): string => `${word}-${(count += 1)}`;

export const client = { ipAddress: '192.0.2.1', userAgent: 'test', requestId: 'req_test' };

/** An empty workspace. */
export async function buildWorkspace({ tier = 'unlimited' }: { tier?: WorkspaceTier } = {}): Promise<string> {
  const id = generateId('ws');
  await databasePool().query({ name: 'test-workspace', text: NEW_WORKSPACE, values: [id, unique('workspace'), tier] });
  return id;
}

const NEW_WORKSPACE = `
  INSERT INTO workspace (id, name, slug, tier, settings, updated_at) VALUES ($1, $2, $2, $3, '{"mfaPolicy":"off"}', now())`;

export interface TestUser {
  id: string;
  email: string;
  workspaceId: string;
  sessionId: string;
  token: string;
}

/** One statement: most tests begin with some users. */
const NEW_MEMBER = `
  WITH person AS (
    INSERT INTO app_user (id, email, name, password_hash, email_proven_at) VALUES ($1, $2, 'Somebody', $3, now())
  ), membership AS (
    INSERT INTO member (workspace_id, user_id) VALUES ($4, $1)
  ), assignment AS (
    INSERT INTO role_assignment (id, workspace_id, user_id, role_id) VALUES ($5, $4, $1, $6)
  )
  INSERT INTO session (id, user_id, expires_at, ip_address, user_agent) VALUES ($7, $1, now() + interval '30 days', $8, $9)`;

let passwordHash: Promise<string> | undefined;

/** A user with a role in a workspace (a new one by default), signed in. */
export async function buildUser({
  workspaceId,
  role = 'owner',
}: { workspaceId?: string; role?: SystemRole } = {}): Promise<TestUser> {
  const workspace = workspaceId ?? (await buildWorkspace());
  const [id, sessionId, email] = [generateId('usr'), generateId('ses'), `${unique('person')}@example.com`];
  const hash = await (passwordHash ??= hashPassword(PASSWORD));
  const { ipAddress, userAgent } = client;
  const values = [id, email, hash, workspace, generateId('asg'), systemRoleId(role), sessionId, ipAddress, userAgent];
  await databasePool().query({ name: 'test-member', text: NEW_MEMBER, values });
  const token = await issueAccessToken({ userId: id, sessionId, workspaceId: workspace });
  return { id, email, workspaceId: workspace, sessionId, token };
}

/** Makes a user a member of a workspace. */
export async function join(userId: string, workspaceId: string, role: SystemRole): Promise<void> {
  await prismaClient().member.create({ data: { workspaceId, userId } });
  await prismaClient().roleAssignment.create({
    data: { id: generateId('asg'), workspaceId, userId, roleId: systemRoleId(role) },
  });
}

/** A new session of the person, and an access token that speaks for the workspace. */
export async function tokenFor(userId: string, workspaceId: string): Promise<{ sessionId: string; token: string }> {
  const sessionId = await openLoginSession(prismaClient(), userId, client);
  return { sessionId, token: await issueAccessToken({ userId, sessionId, workspaceId }) };
}

export const ONE_START: WorkflowDefinition = {
  nodes: [{ id: 'start', type: 'start', position: { x: 0, y: 0 }, config: {} }],
  connections: [],
};

const NEW_WORKFLOW = `
  WITH stored AS (
    INSERT INTO workflow (id, workspace_id, name, description, status, definition, version) VALUES ($1, $2, $3, '', $4, $5, 1)
  )
  INSERT INTO workflow_version (id, workflow_id, version, name, description, definition, message)
  VALUES ($6, $1, 1, $3, '', $5, '')`;

/** A stored workflow with its first version. */
export async function buildWorkflow({
  workspaceId,
  definition = ONE_START,
  status = 'draft',
}: {
  workspaceId: string;
  definition?: WorkflowDefinition;
  status?: string;
}): Promise<string> {
  const id = generateId('wf');
  const values = [id, workspaceId, unique('workflow'), status, JSON.stringify(definition), generateId('wfv')];
  await databasePool().query({ name: 'test-workflow', text: NEW_WORKFLOW, values });
  return id;
}

/** A credential that a user has created. */
export async function buildCredential({ token }: TestUser, type: string, config: object): Promise<string> {
  const body = { name: unique('credential'), type, config };
  const made = await call<{ id: string }>('POST', '/api/credentials', { token, body });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return made.body.id;
}

export interface CallOptions {
  token?: string;
  workspace?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  raw?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  /** The client's address. */
  from?: string;
}

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

/** Calls the service at its REST door; `Body` is what the test expects to find in the answer. */
export async function call<Body = unknown>(
  method: string,
  path: string,
  { token, workspace, body, raw, headers = {}, from = '192.0.2.1' }: CallOptions = {},
): Promise<Answer<Body>> {
  const all = new Headers({ [PEER_ADDRESS_HEADER]: from, ...headers });
  if (token) all.set('authorization', `Bearer ${token}`);
  if (workspace) all.set('x-workspace-id', workspace);
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  if (payload !== undefined && !all.has('content-type')) all.set('content-type', 'application/json');
  const response = await routeWebRequest(
    new Request(`http://weft.test${path}`, { method, headers: all, body: payload }),
  );
  const text = await response.text();
  const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/json');
  const read: unknown = isJson ? JSON.parse(text) : text || undefined;
  return { status: response.status, headers: response.headers, body: read as Body };
}

/** The error of an answer, as tests compare it. */
export interface Refused {
  error: { code: string; message: string; details: { field: string; message: string }[] };
}
