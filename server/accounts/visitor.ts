import type { Person } from '@/server/access/caller';
import { browserSession } from '@/server/auth/browser-session';
import { prisma } from '@/server/db/client';
import { runtime } from '@/server/runtime';
import { isOwnerNeeded } from './first-owner';
import { readInvitation, type InvitationFacts } from './invitations';
import { callerFromSession } from '@/server/auth/session';
import type { CallHeaders } from '@/server/client-address';

/** The user that a page is rendered for; null without a sign-in. */
export async function visitor(headers: CallHeaders): Promise<Person | null> {
  const sessionId = await browserSession(headers, 'GET');
  const standing = sessionId === null ? null : await callerFromSession(sessionId);
  return standing?.person ?? null;
}

/** Whether the service has no owner yet, so that no user could sign in. */
export const hasNoOwner = (): Promise<boolean> => isOwnerNeeded(prisma());

/** Whether sign-up is public. */
export const isSignUpOpen = (): boolean => runtime().env.multiTenant;

/** The invitation behind a link; null if there is none that can be accepted. */
export const invitationBehind = (token: string): Promise<InvitationFacts | null> => readInvitation(prisma(), token);
