import type { Person } from './caller';
import { browserSession } from './browser-session';
import { prisma } from '../db/client';
import { isOwnerNeeded } from './first-owner';
import { callerFromSession } from './session';

/** Who a page is drawn for; null: nobody is signed in. */
export async function visitor(headers: Headers): Promise<Person | null> {
  const sessionId = await browserSession(headers);
  const standing = sessionId === null ? null : await callerFromSession(sessionId);
  return standing?.person ?? null;
}

/** Whether the service still waits for its first owner, so that nobody could sign in. */
export const isNobodyHere = (): Promise<boolean> => isOwnerNeeded(prisma());
