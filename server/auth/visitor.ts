import type { CallHeaders } from '../api/call-headers';
import type { Person } from './caller';
import { browserSession } from './browser-session';
import { prisma } from '../db/client';
import { runtime } from '../runtime';
import { isOwnerNeeded } from './first-owner';
import { readInvitation, type InvitationFacts } from './invitations';
import { callerFromSession } from './session';

/** Who a page is drawn for; null: nobody is signed in. */
export async function visitor(headers: CallHeaders): Promise<Person | null> {
  const sessionId = await browserSession(headers);
  const standing = sessionId === null ? null : await callerFromSession(sessionId);
  return standing?.person ?? null;
}

/** Whether the service still waits for its first owner, so that nobody could sign in. */
export const isNobodyHere = (): Promise<boolean> => isOwnerNeeded(prisma());

/** Whether whoever comes may make an account. */
export const isSignUpOpen = (): boolean => runtime().env.multiTenant;

/** The invitation behind a link; null: none that could be accepted. */
export const invitationBehind = (token: string): Promise<InvitationFacts | null> => readInvitation(prisma(), token);
