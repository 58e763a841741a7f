import { chooseWorkspace } from './workspace';

/** Ends the session here and on the server, and goes to the sign-in page; afterwards back to where one was. */
export async function leave({ isReturning = false } = {}): Promise<void> {
  chooseWorkspace(null);
  const here = `${location.pathname}${location.search}`;
  const { signOut } = await import('next-auth/react');
  await signOut({ redirect: false });
  location.assign(isReturning ? `/login?returnTo=${encodeURIComponent(here)}` : '/login');
}
