import { ApiProblem } from '@/server/platform/errors/problem';

/** Why a sign-in through a provider failed: a code for the sign-in page and a sentence for people. */
export type SsoReason =
  | 'declined'
  | 'invalid'
  | 'expired'
  | 'unreachable'
  | 'unverified'
  | 'unproven'
  | 'domain'
  | 'unverified_domain'
  | 'no_email'
  | 'authority'
  | 'closed';

const FORBIDDEN_REASONS: SsoReason[] = [
  'unverified',
  'unproven',
  'domain',
  'unverified_domain',
  'no_email',
  'authority',
  'closed',
];

/** A refused sign-in: 401 for an invalid proof, 403 if the person is known but not admitted. */
export class SsoRefusal extends ApiProblem {
  constructor(
    readonly reason: SsoReason,
    message: string,
    /** The provider's error, for the administrator. */
    readonly claims: Record<string, unknown> = {},
    cause?: unknown,
  ) {
    super(FORBIDDEN_REASONS.includes(reason) ? 'FORBIDDEN' : 'UNAUTHORIZED', message, [], { cause });
  }
}
