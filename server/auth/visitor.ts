import type { Person } from './caller';
import { browserSession } from './browser-session';
import { callerFromSession } from './session';

/** Who a page is drawn for; null: nobody is signed in. */
export async function visitor(headers: Headers): Promise<Person | null> {
  const sessionId = await browserSession(headers);
  const standing = sessionId === null ? null : await callerFromSession(sessionId);
  return standing?.person ?? null;
}
