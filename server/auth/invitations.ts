import { randomBytes } from 'node:crypto';
import type { Invitation } from '@/generated/prisma/client';
import { invalidField } from '../api/problem';
import type { Db } from '../db/client';
import { newId } from '../db/ids';
import { isMailPossible, sendMail } from '../mail';
import { runtime } from '../runtime';
import type { Caller } from './caller';
import { canGrant, heldByMember, rightsOf } from './permissions';
import { requireAdmitted } from './policy';
import { lockRoles, permissionsOfRole, rolesOf } from './roles';
import { hashOfToken } from './tokens';

/** Invitations live 7 days. */
const LIFE_MS = 7 * 86_400_000;

interface Sent {
  invitationId: string;
  inviteUrl: string;
  /** Sends the link, where there is a way to send mail; for once the invitation is stored for good. */
  mail(): Promise<unknown>;
}

/** Invites an address into a workspace; an earlier invitation of it is void. */
export async function invite(
  db: Db,
  { workspaceId, email, roleId, by }: { workspaceId: string; email: string; roleId: string; by: Caller },
): Promise<Sent> {
  const { apiBaseUrl } = runtime().env;
  const token = `winv_${randomBytes(32).toString('base64url')}`;
  const invitationId = newId('inv');
  const fresh = {
    id: invitationId,
    roleId,
    tokenHash: hashOfToken(token),
    invitedBy: by.userId,
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + LIFE_MS),
  };
  await requireAdmitted(db, workspaceId, email, 'email');
  await db.invitation.upsert({
    where: { workspaceId_email: { workspaceId, email } },
    create: { ...fresh, workspaceId, email },
    update: fresh,
  });
  const { name } = await db.workspace.findUniqueOrThrow({ where: { id: workspaceId } });
  const inviteUrl = `${apiBaseUrl}/invitation?token=${token}`;
  const subject = `${oneLine(by.name)} invites you to ${oneLine(name)}`;
  const text = `${subject}.\n\nJoin within 7 days: ${inviteUrl}\n`;
  // The service's own mail: in the workspace's outbox every viewer could read the link, and use it.
  const mail = async () => isMailPossible() && sendMail({ workspaceId: null, to: [email], subject, text });
  return { invitationId, inviteUrl, mail };
}

/** Names are people's own text; a subject is one line. */
const oneLine = (name: string) => name.replace(/\s+/g, ' ').trim();

/** What the page says to whoever opens the link. */
export interface InvitationFacts {
  email: string;
  workspaceId: string;
  workspaceName: string;
  /** Somebody has this address: they sign in to accept. */
  hasAccount: boolean;
}

/** The invitation that a token stands for; null: none that could be accepted. */
export async function readInvitation(db: Db, token: string): Promise<InvitationFacts | null> {
  const found = await db.invitation.findFirst({
    where: { tokenHash: hashOfToken(token), expiresAt: { gt: new Date() } },
    include: { workspace: true },
  });
  if (!found || !(await isStillGiven(db, found))) return null;
  const { email, workspaceId, workspace } = found;
  const hasAccount = (await db.user.findUnique({ where: { email } })) !== null;
  return { email, workspaceId, workspaceName: workspace.name, hasAccount };
}

type Taken = Pick<Invitation, 'id' | 'workspaceId' | 'email' | 'roleId' | 'invitedBy'>;

/** The invitation that a token stands for, taken so that it can't be used twice. Throws a Problem on `token`. */
export async function takeInvitation(db: Db, token: string): Promise<Taken> {
  const [taken] = await db.$queryRaw<Taken[]>`
    DELETE FROM invitation WHERE token_hash = ${hashOfToken(token)} AND expires_at > now()
    RETURNING id, workspace_id AS "workspaceId", email, role_id AS "roleId", invited_by AS "invitedBy"`;
  if (taken) await lockRoles(db, taken.workspaceId);
  if (!taken || !(await isStillGiven(db, taken))) {
    throw invalidField('token', 'is not a valid invitation; it may have been used, taken back or be too old');
  }
  // The domains may have been narrowed since.
  await requireAdmitted(db, taken.workspaceId, taken.email, 'token');
  return taken;
}

/** Whoever was removed or demoted meanwhile leaves no door open: their invitations give what they may still give. */
async function isStillGiven(db: Db, { workspaceId, roleId, invitedBy }: Omit<Taken, 'id' | 'email'>): Promise<boolean> {
  const roles = await rolesOf(db, workspaceId);
  const role = roles.find(({ id }) => id === roleId);
  if (!role || !invitedBy) return false;
  const { permissions } = rightsOf(await heldByMember(db, workspaceId, invitedBy));
  return canGrant(permissions, [...permissionsOfRole(roles, role), { resource: 'member', action: 'create' }]);
}
