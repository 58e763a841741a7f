import { randomBytes } from 'node:crypto';
import type { Invitation } from '@/generated/prisma/client';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { canServiceSendMail, sendOutgoingMail } from '@/server/network/mail/mail';
import { takeInvitationQuota } from '@/server/platform/quotas/mails';
import { getRuntime } from '@/server/platform/runtime';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { findServiceAccount } from '@/server/people/auth/people';
import { canGrantPermissions, findHeldRoles, combineRoleRights } from '@/server/people/access/permissions';
import { requireAllowedDomain } from '@/server/people/access/policy';
import { lockWorkspaceRoles, listRolePermissions, listWorkspaceRoles } from '@/server/people/access/roles';
import { hashRefreshToken } from '@/server/people/auth/tokens';

/** Lifetime of an invitation: 7 days. */
const INVITATION_LIFETIME_MS = 7 * 86_400_000;

interface CreatedInvitation {
  invitationId: string;
  inviteUrl: string;
  /** Sends the link if the service can send mail. Call it after the invitation is committed. */
  mail(): Promise<unknown>;
}

/** Invites an address into a workspace. Earlier invitations of the address become void. */
export async function createInvitation(
  db: DatabaseClient,
  { workspaceId, email, roleId, by }: { workspaceId: string; email: string; roleId: string; by: WorkspaceCaller },
): Promise<CreatedInvitation> {
  const { apiBaseUrl } = getRuntime().env;
  const token = `winv_${randomBytes(32).toString('base64url')}`;
  const invitationId = generateId('inv');
  const fresh = {
    id: invitationId,
    roleId,
    tokenHash: hashRefreshToken(token),
    invitedBy: by.userId,
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + INVITATION_LIFETIME_MS),
  };
  await requireAllowedDomain(db, workspaceId, email, 'email');
  await takeInvitationQuota(db, workspaceId, canServiceSendMail());
  await db.invitation.upsert({
    where: { workspaceId_email: { workspaceId, email } },
    create: { ...fresh, workspaceId, email },
    update: fresh,
  });
  const { name } = await db.workspace.findUniqueOrThrow({ where: { id: workspaceId } });
  const inviteUrl = `${apiBaseUrl}/invitation?token=${token}`;
  const subject = `${plainMailName(by.name) || 'A member'} invites you to ${plainMailName(name) || 'a workspace'}`;
  const text = `${subject}.\n\nJoin within 7 days: ${inviteUrl}\n`;
  // Sent as the service's own mail: every viewer could read and use the link in the workspace's outbox.
  const mail = async () => canServiceSendMail() && sendOutgoingMail({ workspaceId: null, to: [email], subject, text });
  return { invitationId, inviteUrl, mail };
}

const MAX_MAILED_NAME_LENGTH = 60;

/**
 * Names are free text that outside recipients get by mail: they are shortened, put on one line, and stripped of
 * addresses and links.
 */
const plainMailName = (name: string) => {
  const words = name
    .replace(/[^\p{L}\p{M}\p{N}\s.,'’&()-]/gu, ' ')
    .replace(/\.(?=\S)/g, '. ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...words].slice(0, MAX_MAILED_NAME_LENGTH).join('');
};

/** The data of the page behind the link. */
export interface InvitationDetails {
  email: string;
  workspaceId: string;
  workspaceName: string;
  /** An account has this address: its owner signs in to accept. */
  hasAccount: boolean;
}

/** The invitation of a token; null if there is none that can be accepted. */
export async function findInvitation(db: DatabaseClient, token: string): Promise<InvitationDetails | null> {
  const found = await db.invitation.findFirst({
    where: { tokenHash: hashRefreshToken(token), expiresAt: { gt: new Date() } },
    include: { workspace: true },
  });
  if (!found || !(await isStillGrantable(db, found))) return null;
  const { email, workspaceId, workspace } = found;
  const hasAccount = (await findServiceAccount(db, email)) !== null;
  return { email, workspaceId, workspaceName: workspace.name, hasAccount };
}

type TakenInvitation = Pick<Invitation, 'id' | 'workspaceId' | 'email' | 'roleId' | 'invitedBy'>;

/** Takes the invitation of a token, so that it cannot be used twice. Throws a Problem on `token`. */
export async function takeInvitation(db: DatabaseClient, token: string): Promise<TakenInvitation> {
  const [invitation] = await db.$queryRaw<TakenInvitation[]>`
    DELETE FROM invitation WHERE token_hash = ${hashRefreshToken(token)} AND expires_at > now()
    RETURNING id, workspace_id AS "workspaceId", email, role_id AS "roleId", invited_by AS "invitedBy"`;
  if (invitation) await lockWorkspaceRoles(db, invitation.workspaceId);
  if (!invitation || !(await isStillGrantable(db, invitation))) {
    throw invalidFieldProblem('token', 'is not a valid invitation; it may have been used, withdrawn or expired');
  }
  // The list of allowed domains may have changed since.
  await requireAllowedDomain(db, invitation.workspaceId, invitation.email, 'token');
  return invitation;
}

/** The inviter may have been removed or demoted since: the invitation grants only what the inviter may still grant. */
async function isStillGrantable(
  db: DatabaseClient,
  { workspaceId, roleId, invitedBy }: Omit<TakenInvitation, 'id' | 'email'>,
): Promise<boolean> {
  const roles = await listWorkspaceRoles(db, workspaceId);
  const role = roles.find(({ id }) => id === roleId);
  if (!role || !invitedBy) return false;
  const { permissions } = combineRoleRights(await findHeldRoles(db, workspaceId, invitedBy));
  return canGrantPermissions(permissions, [
    ...listRolePermissions(roles, role),
    { resource: 'member', action: 'create' },
  ]);
}
