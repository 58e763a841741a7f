import type { DestinationFields } from '@/contract/credentials/credential-fields';
import { invalidRequestProblem } from '@/server/platform/errors/problem';
import { isHostListNarrower } from './host-patterns';

/*
 * Secrets do not follow a changed destination. Stored secrets are sent to addresses that are stored beside them, and members who may change
 * the addresses need not know the secrets. So a change that could send a secret to another address requires all secrets again. This
 * includes adding and removing an address, because a second change could complete the move.
 */

/** A change of an object that contains secrets. */
export interface DestinationChange {
  destinations: DestinationFields;
  /** The stored values, and the values after the change. */
  before: ConfigValues;
  after: ConfigValues;
  /** Names of the stored secrets. */
  secrets: readonly string[];
  /** Names of the fields in the request. */
  fields: readonly string[];
  /** Stored secrets that a provider granted: users cannot enter them again. */
  grantedSecrets?: readonly string[];
}

export interface SecretRetention {
  /** The destinations that change. */
  destinations: string[];
  /** Secrets that the request must contain again. */
  missing: string[];
  /** Granted secrets to remove, because their destination changes. */
  removedSecrets: string[];
}

type ConfigValues = Record<string, unknown>;

/** The destinations that a change affects. */
export const changedDestinations = (
  destinations: DestinationFields,
  before: ConfigValues,
  after: ConfigValues,
): string[] =>
  Object.entries(destinations).flatMap(([field, kind]) =>
    keepsDestination(kind, before[field], after[field]) ? [] : [field],
  );

/** Determines which secrets stay after a change: all of them, or those that the request contains again. */
export function resolveSecretRetention({
  destinations,
  before,
  after,
  secrets,
  fields,
  grantedSecrets = [],
}: DestinationChange): SecretRetention {
  const movedDestinations = changedDestinations(destinations, before, after);
  const missingSecrets = movedDestinations.length === 0 ? [] : secrets.filter((name) => !fields.includes(name));
  return {
    destinations: movedDestinations,
    missing: missingSecrets.filter((name) => !grantedSecrets.includes(name)),
    removedSecrets: missingSecrets.filter((name) => grantedSecrets.includes(name)),
  };
}

function keepsDestination(kind: DestinationFields[string], before: unknown, after: unknown): boolean {
  if (kind === 'hosts') return isHostListNarrower(toHostList(after), toHostList(before));
  // Without a pin any receiver is accepted, so that adding one sends no secret further.
  if (kind === 'pin' && (before ?? false) === false) return true;
  return (before ?? null) === (after ?? null);
}

const toHostList = (value: unknown): string[] => (Array.isArray(value) ? (value as string[]) : []);

/** Determines which secrets stay, and throws a 400 that names each missing one. `prefix` is the path of the fields. */
export function requireSecretsAgain(change: DestinationChange, prefix = ''): SecretRetention {
  const decision = resolveSecretRetention(change);
  const { destinations, missing } = decision;
  if (missing.length === 0) return decision;
  const message = `must be given again, because ${destinations.join(', ')} changed`;
  throw invalidRequestProblem(missing.map((name) => ({ field: `${prefix}${name}`, message })));
}
