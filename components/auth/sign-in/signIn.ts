import { signIn as nextAuthSignIn } from 'next-auth/react';

export type PasswordSignInResult =
  | { isSignedIn: true }
  | { isSignedIn: false; code: string; retryAfterSeconds?: number; reason?: string };

/**
 * Exchanges email and password for the session cookie. `code` is one of the documented error codes, `MFA_REQUIRED`
 * where only the second factor is missing, `MFA_WRONG`, or `UNAVAILABLE` with the reason, while nobody can sign in.
 */
export async function requestSession(email: string, password: string, mfaCode = ''): Promise<PasswordSignInResult> {
  const answer = await nextAuthSignIn('credentials', { email, password, mfaCode, redirect: false });
  if (answer?.ok && !answer.error) return { isSignedIn: true };
  const [code = '', seconds, ...reason] = (answer?.error ?? 'INTERNAL_ERROR').split(':');
  return {
    isSignedIn: false,
    code,
    retryAfterSeconds: seconds ? Number(seconds) : undefined,
    reason: reason.join(':') || undefined,
  };
}

/** Signs in a new account and opens its first page: a workspace of its own has nothing yet to be listed. */
export async function signInNewAccount(
  email: string,
  password: string,
  firstPage: '/start' | '/workflows' = '/start',
): Promise<void> {
  const { isSignedIn } = await requestSession(email, password);
  location.assign(isSignedIn ? firstPage : '/login');
}
