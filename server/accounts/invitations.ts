import { randomBytes } from 'node:crypto';
import type { Invitation } from '@/generated/prisma/client';
import { invalidField } from '@/server/errors/problem';
import type { Db } from '@/server/db/client';
import { newId } from '@/server/db/ids';
import { isMailPossible, sendMail } from '@/server/mail/mail';
import { countInvitation } from '@/server/quotas/mails';
import { runtime } from '@/server/runtime';
import type { Caller } from '@/server/access/caller';
import { accountWith } from '@/server/auth/people';
import { canGrant, rolesOfMember, rightsOf } from '@/server/access/permissions';
import { requireAdmitted } from '@/server/access/policy';
import { lockRoles, permissionsOfRole, rolesOf } from '@/server/access/roles';
import { hashOfToken } from '@/server/auth/tokens';

/** Lifetime of an invitation: 7 days. */
const LIFE_MS = 7 * 86_400_000;

interface Sent {
  invitationId: string;
  inviteUrl: string;
  /** Sends the link if the service can send mail. Call it after the invitation is committed. */
  mail(): Promise<unknown>;
}

/** Invites an address into a workspace. Earlier invitations of the address become void. */
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
  await countInvitation(db, workspaceId, isMailPossible());
  await db.invitation.upsert({
    where: { workspaceId_email: { workspaceId, email } },
    create: { ...fresh, workspaceId, email },
    update: fresh,
  });
  const { name } = await db.workspace.findUniqueOrThrow({ where: { id: workspaceId } });
  const inviteUrl = `${apiBaseUrl}/invitation?token=${token}`;
  const subject = `${plain(by.name) || 'A member'} invites you to ${plain(name) || 'a workspace'}`;
  const text = `${subject}.\n\nJoin within 7 days: ${inviteUrl}\n`;
  // Sent as the service's own mail: every viewer could read and use the link in the workspace's outbox.
  const mail = async () => isMailPossible() && sendMail({ workspaceId: null, to: [email], subject, text });
  return { invitationId, inviteUrl, mail };
}

const MAX_NAME = 60;

/**
 * Names are free text that outside recipients get by mail: they are shortened, put on one line, and stripped of addresses
 * and links.
 */
const plain = (name: string) => {
  const words = name
    .replace(/[^\p{L}\p{M}\p{N}\s.,'’&()-]/gu, ' ')
    .replace(/\.(?=\S)/g, '. ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...words].slice(0, MAX_NAME).join('');
};

/** The data of the page behind the link. */
export interface InvitationFacts {
  email: string;
  workspaceId: string;
  workspaceName: string;
  /** An account has this address: its owner signs in to accept. */
  hasAccount: boolean;
}

/** The invitation of a token; null if there is none that can be accepted. */
export async function readInvitation(db: Db, token: string): Promise<InvitationFacts | null> {
  const found = await db.invitation.findFirst({
    where: { tokenHash: hashOfToken(token), expiresAt: { gt: new Date() } },
    include: { workspace: true },
  });
  if (!found || !(await isStillGiven(db, found))) return null;
  const { email, workspaceId, workspace } = found;
  const hasAccount = (await accountWith(db, email)) !== null;
  return { email, workspaceId, workspaceName: workspace.name, hasAccount };
}

type Taken = Pick<Invitation, 'id' | 'workspaceId' | 'email' | 'roleId' | 'invitedBy'>;

/** Takes the invitation of a token, so that it cannot be used twice. Throws a Problem on `token`. */
export async function takeInvitation(db: Db, token: string): Promise<Taken> {
  const [invitation] = await db.$queryRaw<Taken[]>`
    DELETE FROM invitation WHERE token_hash = ${hashOfToken(token)} AND expires_at > now()
    RETURNING id, workspace_id AS "workspaceId", email, role_id AS "roleId", invited_by AS "invitedBy"`;
  if (invitation) await lockRoles(db, invitation.workspaceId);
  if (!invitation || !(await isStillGiven(db, invitation))) {
    throw invalidField('token', 'is not a valid invitation; it may have been used, withdrawn or expired');
  }
  // The list of allowed domains may have changed since.
  await requireAdmitted(db, invitation.workspaceId, invitation.email, 'token');
  return invitation;
}

/** The inviter may have been removed or demoted since: the invitation grants only what the inviter may still grant. */
async function isStillGiven(db: Db, { workspaceId, roleId, invitedBy }: Omit<Taken, 'id' | 'email'>): Promise<boolean> {
  const roles = await rolesOf(db, workspaceId);
  const role = roles.find(({ id }) => id === roleId);
  if (!role || !invitedBy) return false;
  const { permissions } = rightsOf(await rolesOfMember(db, workspaceId, invitedBy));
  return canGrant(permissions, [...permissionsOfRole(roles, role), { resource: 'member', action: 'create' }]);
}
