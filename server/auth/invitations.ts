import { randomBytes } from 'node:crypto';
import type { Invitation } from '@/generated/prisma/client';
import { invalidField } from '../api/problem';
import type { Db } from '../db/client';
import { newId } from '../db/ids';
import { sendMail } from '../mail';
import { runtime } from '../runtime';
import type { Caller } from './caller';
import { hashOfToken } from './tokens';

/** Invitations live 7 days. */
const LIFE_MS = 7 * 86_400_000;

interface Sent {
  invitationId: string;
  inviteUrl: string;
  /** Sends the link; for once the invitation is stored for good. Fails where there is no way to send mail. */
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
  await db.invitation.upsert({
    where: { workspaceId_email: { workspaceId, email } },
    create: { ...fresh, workspaceId, email },
    update: fresh,
  });
  const { name } = await db.workspace.findUniqueOrThrow({ where: { id: workspaceId } });
  const inviteUrl = `${apiBaseUrl}/invite?token=${token}`;
  const subject = `${oneLine(by.name)} invites you to ${oneLine(name)}`;
  const text = `${subject}.\n\nJoin within 7 days: ${inviteUrl}\n`;
  return { invitationId, inviteUrl, mail: () => sendMail({ workspaceId, to: [email], subject, text }) };
}

/** Names are people's own text; a subject is one line. */
const oneLine = (name: string) => name.replace(/\s+/g, ' ').trim();

/** The invitation that a token stands for, taken so that it can't be used twice. Throws a Problem on `token`. */
export async function takeInvitation(db: Db, token: string): Promise<Invitation> {
  const [taken] = await db.$queryRaw<Invitation[]>`
    DELETE FROM invitation WHERE token_hash = ${hashOfToken(token)} AND expires_at > now()
    RETURNING id, workspace_id AS "workspaceId", email, role_id AS "roleId"`;
  if (!taken) throw invalidField('token', 'is not a valid invitation; it may have been used or be too old');
  return taken;
}
