import { chooseWorkspace } from './workspace';

/** Ends the session and opens the sign-in page, which returns to this page if `isReturning`. */
export async function leave({ isReturning = false } = {}): Promise<void> {
  chooseWorkspace(null);
  const here = `${location.pathname}${location.search}`;
  const { signOut } = await import('next-auth/react');
  await signOut({ redirect: false });
  location.assign(isReturning ? `/login?returnTo=${encodeURIComponent(here)}` : '/login');
}
