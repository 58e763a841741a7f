import { Problem } from '../api/problem';

/** Why a sign-in through a provider came to nothing, in a word for the sign-in page and a sentence for people. */
export type SsoReason =
  | 'declined'
  | 'invalid'
  | 'expired'
  | 'unreachable'
  | 'unverified'
  | 'unproven'
  | 'domain'
  | 'no_email'
  | 'authority'
  | 'closed';

const FORBIDDING: SsoReason[] = ['unverified', 'unproven', 'domain', 'no_email', 'authority', 'closed'];

/** A refused sign-in: 401 where the proof is not good, 403 where the person is known but may not come in. */
export class SsoRefusal extends Problem {
  constructor(
    readonly reason: SsoReason,
    message: string,
    /** What the provider said, for the administrator. */
    readonly claims: Record<string, unknown> = {},
    cause?: unknown,
  ) {
    super(FORBIDDING.includes(reason) ? 'FORBIDDEN' : 'UNAUTHORIZED', message, [], { cause });
  }
}
