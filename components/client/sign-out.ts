import { storeChosenWorkspace } from './chosen-workspace';

/** Ends the session and opens the sign-in page, which returns to this page if `isReturning`. */
export async function signOutToLogin({ isReturning = false } = {}): Promise<void> {
  storeChosenWorkspace(null);
  const here = `${location.pathname}${location.search}`;
  const { signOut } = await import('next-auth/react');
  await signOut({ redirect: false });
  location.assign(isReturning ? `/login?returnTo=${encodeURIComponent(here)}` : '/login');
}
