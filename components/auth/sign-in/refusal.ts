import { formatDuration } from '@/components/ui/values/time-format';

/** Why a sign-in was refused, and the form field that shows it. */
export interface SignInRefusal {
  field?: 'password' | 'mfaCode';
  message: string;
}

/** The message for a code of `signIn`. */
export function describeRefusal(code: string, retryAfterSeconds?: number, reason?: string): SignInRefusal {
  switch (code) {
    case 'UNAUTHORIZED':
      return { field: 'password', message: 'Email or password is wrong.' };
    case 'MFA_WRONG':
      return { field: 'mfaCode', message: 'This code is wrong or was used before. Wait for the next one.' };
    case 'RATE_LIMITED': {
      const wait = retryAfterSeconds ? `in ${formatDuration(retryAfterSeconds * 1000)}` : 'in a few minutes';
      return { message: `Too many attempts. Try again ${wait}.` };
    }
    case 'UNAVAILABLE':
      return { message: reason ?? 'Nobody can sign in now. Try again in a moment.' };
    case 'FORBIDDEN':
      return { message: 'Your workspace requires single sign-on.' };
    default:
      return { message: 'The sign-in failed. Try again in a moment.' };
  }
}

/** Messages for a failed sign-in through a provider, by the code that the service puts into the query string. */
const SSO_FAILURE_TEXTS: Record<string, string> = {
  declined: 'The provider refused the sign-in, or you cancelled it there.',
  invalid: 'The provider’s response is not valid. Tell your administrator if it happens again.',
  expired: 'The sign-in expired, or it was started in another browser. Start again.',
  unreachable: 'The provider can’t be reached. Try again in a moment.',
  unverified: 'The provider has not verified your email address.',
  unproven: 'An account with your address exists already. Sign in with its password first, then through the provider.',
  domain: 'Your email address is outside the domains of this provider.',
  unverified_domain: 'Your company’s domain is not verified for this provider yet. Ask your administrator.',
  no_email: 'The provider did not send your email address.',
  authority: 'This provider can’t sign you in to that account.',
  closed: 'You have no account yet. Ask your administrator for an invitation.',
};

export const describeSsoFailure = (reason: string | undefined): SignInRefusal | undefined =>
  reason === undefined ? undefined : { message: SSO_FAILURE_TEXTS[reason] ?? 'The sign-in did not work. Try again.' };
