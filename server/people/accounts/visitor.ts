import type { AuthenticatedPerson } from '@/server/people/access/caller';
import { readBrowserSessionId } from '@/server/people/auth/browser-session';
import { prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { isOwnerNeeded } from './first-owner';
import { findInvitation, type InvitationDetails } from './invitations';
import { findSessionCaller } from '@/server/people/auth/session';
import type { CallHeaders } from '@/server/platform/messages/client-address';

/** The user that a page is rendered for; null without a sign-in. */
export async function findPageVisitor(headers: CallHeaders): Promise<AuthenticatedPerson | null> {
  const sessionId = await readBrowserSessionId(headers, 'GET');
  const standing = sessionId === null ? null : await findSessionCaller(sessionId);
  return standing?.person ?? null;
}

/** Whether the service has no owner yet, so that no user could sign in. */
export const isServiceWithoutOwner = (): Promise<boolean> => isOwnerNeeded(prismaClient());

/** Whether sign-up is public. */
export const isSignUpOpen = (): boolean => getRuntime().env.multiTenant;

/** The invitation behind a link; null if there is none that can be accepted. */
export const findInvitationByToken = (token: string): Promise<InvitationDetails | null> =>
  findInvitation(prismaClient(), token);
