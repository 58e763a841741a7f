import { duration } from '../ui/time';

/** Why somebody may not come in, and at which field of the form to say so. */
export interface Refusal {
  field?: 'password' | 'mfaCode';
  message: string;
}

/** What a code of `signIn` means to people. */
export function refusalOf(code: string, retryAfterSeconds: number | undefined): Refusal {
  switch (code) {
    case 'UNAUTHORIZED':
      return { field: 'password', message: 'Email or password is wrong.' };
    case 'MFA_WRONG':
      return { field: 'mfaCode', message: 'This code is wrong or was used before. Wait for the next one.' };
    case 'RATE_LIMITED': {
      const wait = retryAfterSeconds ? `in ${duration(retryAfterSeconds * 1000)}` : 'in a few minutes';
      return { message: `Too many attempts. Please try again ${wait}.` };
    }
    case 'FORBIDDEN':
      return { message: 'Your workspace asks you to sign in through your company.' };
    default:
      return { message: 'Signing in didn’t work just now. Please try again in a moment.' };
  }
}

/** What a sign-in through a provider came to nothing for, by the word that the service puts into the address. */
const SSO_REASONS: Record<string, string> = {
  declined: 'The provider did not let you in, or you cancelled there.',
  invalid: 'The provider’s answer could not be trusted. Tell your administrator if it happens again.',
  expired: 'That sign-in took too long, or began in another browser. Please begin again.',
  unreachable: 'The provider can’t be reached just now. Please try again in a moment.',
  unverified: 'The provider has not verified your email address.',
  unproven:
    'There is an account with your address already. Sign in with its password first, then through the provider.',
  domain: 'Your email address is outside the domains that this provider is for.',
  no_email: 'The provider did not tell your email address.',
  authority: 'This provider can’t sign you in to that account.',
  closed: 'You have no account here yet. Ask your administrator for an invitation.',
};

export const ssoRefusalOf = (reason: string | undefined): Refusal | undefined =>
  reason === undefined ? undefined : { message: SSO_REASONS[reason] ?? 'That sign-in did not work. Please try again.' };
