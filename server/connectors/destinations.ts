import type { Destinations } from '@/contract/credentials/credential-marks';
import { invalid } from '@/server/errors/problem';
import { isNarrower } from './hosts';

/*
 * Secrets do not follow a changed destination. Stored secrets are sent to addresses that are stored beside them, and members who may change
 * the addresses need not know the secrets. So a change that could send a secret to another address requires all secrets again. This
 * includes adding and removing an address, because a second change could complete the move.
 */

/** A change of an object that contains secrets. */
export interface Change {
  destinations: Destinations;
  /** The stored values, and the values after the change. */
  before: Values;
  after: Values;
  /** Names of the stored secrets. */
  secrets: readonly string[];
  /** Names of the fields in the request. */
  fields: readonly string[];
  /** Stored secrets that a provider granted: users cannot enter them again. */
  grantedSecrets?: readonly string[];
}

export interface Decision {
  /** The destinations that change. */
  destinations: string[];
  /** Secrets that the request must contain again. */
  missing: string[];
  /** Granted secrets to remove, because their destination changes. */
  removedSecrets: string[];
}

type Values = Record<string, unknown>;

/** The destinations that a change affects. */
export const movedBy = (destinations: Destinations, before: Values, after: Values): string[] =>
  Object.entries(destinations).flatMap(([field, kind]) => (stays(kind, before[field], after[field]) ? [] : [field]));

/** The secrets that stay after a change: all of them, or those that the request contains again. */
export function decide({ destinations, before, after, secrets, fields, grantedSecrets = [] }: Change): Decision {
  const movedDestinations = movedBy(destinations, before, after);
  const missingSecrets = movedDestinations.length === 0 ? [] : secrets.filter((name) => !fields.includes(name));
  return {
    destinations: movedDestinations,
    missing: missingSecrets.filter((name) => !grantedSecrets.includes(name)),
    removedSecrets: missingSecrets.filter((name) => grantedSecrets.includes(name)),
  };
}

function stays(kind: Destinations[string], before: unknown, after: unknown): boolean {
  if (kind === 'hosts') return isNarrower(listOf(after), listOf(before));
  // Without a pin any receiver is accepted, so that adding one sends no secret further.
  if (kind === 'pin' && (before ?? false) === false) return true;
  return (before ?? null) === (after ?? null);
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? (value as string[]) : []);

/** Decides, and throws a 400 that names each missing secret. `prefix`: the path of the fields. */
export function requireSecrets(change: Change, prefix = ''): Decision {
  const decision = decide(change);
  const { destinations, missing } = decision;
  if (missing.length === 0) return decision;
  const message = `must be given again, because ${destinations.join(', ')} changed`;
  throw invalid(missing.map((name) => ({ field: `${prefix}${name}`, message })));
}
