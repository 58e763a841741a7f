import { authenticate, callerFromSession } from '../auth/session';
import { browserSession } from '../auth/browser-session';
import { permits } from '../auth/conditions';
import { heldRoles, rightsOf, type HeldRole } from '../auth/permissions';
import { pool } from '../db/client';

/** Whom a connection speaks for. `expiresAt` null: as long as the session lives. */
export interface Identity {
  userId: string;
  sessionId: string;
  expiresAt: Date | null;
}

/** The person of an access token, or null. */
export const fromToken = (token: string): Promise<Identity | null> => authenticate(token);

/** The person whose browser sent these headers, or null; also for requests that a foreign page caused. */
export async function fromBrowser(headers: Headers): Promise<Identity | null> {
  const sessionId = await browserSession(headers);
  const standing = sessionId ? await callerFromSession(sessionId) : null;
  return sessionId && standing ? { userId: standing.person.userId, sessionId, expiresAt: null } : null;
}

/** Those of the sessions that are neither ended nor over. */
export async function livingSessions(sessionIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool().query<{ id: string }>({
    name: 'channel.sessions',
    text: 'SELECT id FROM session WHERE id = ANY($1::text[]) AND ended_at IS NULL AND expires_at > now()',
    values: [sessionIds],
  });
  return new Set(rows.map(({ id }) => id));
}

const MAY_WATCH = {
  name: 'channel.access',
  text: `
    SELECT w.n, u.email, h.held, e.workflow_id, e.status, e.trigger, e.created_by
    FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS w(session_id, user_id, execution_id, n)
    JOIN session s ON s.id = w.session_id AND s.user_id = w.user_id AND s.ended_at IS NULL AND s.expires_at > now()
    JOIN app_user u ON u.id = s.user_id
    JOIN execution e ON e.id = w.execution_id
    JOIN member m ON m.workspace_id = e.workspace_id AND m.user_id = s.user_id
    LEFT JOIN LATERAL (${heldRoles('e.workspace_id', 's.user_id')}) h ON true`,
};

interface AccessRow {
  n: string;
  email: string;
  held: HeldRole[] | null;
  workflow_id: string;
  status: string;
  trigger: string;
  created_by: string | null;
}

/**
 * Who may watch what, for many at once and as of now: the session lives and its person may read executions where this
 * one belongs. Answers in the order asked.
 */
export async function mayWatch(asked: readonly { identity: Identity; executionId: string }[]): Promise<boolean[]> {
  const { rows } = await pool().query<AccessRow>({
    ...MAY_WATCH,
    values: [
      asked.map(({ identity }) => identity.sessionId),
      asked.map(({ identity }) => identity.userId),
      asked.map(({ executionId }) => executionId),
    ],
  });
  const allowed = asked.map(() => false);
  for (const row of rows) {
    const index = Number(row.n) - 1;
    const { identity, executionId } = asked[index] ?? {};
    if (!identity || !executionId) continue;
    const who = { userId: identity.userId, email: row.email };
    const { workflow_id: workflowId, status, trigger, created_by: createdBy } = row;
    const subject = { id: executionId, workflowId, status, trigger, createdBy };
    allowed[index] = rightsOf(row.held ?? []).permissions.some((held) =>
      permits(held, 'execution', 'read', who, subject),
    );
  }
  return allowed;
}
