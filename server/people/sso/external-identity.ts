/**
 * A provider's assertion about a user, for any protocol. Verified to come from the provider; not yet checked against
 * policies.
 */
export interface AssertedPerson {
  /** The person's permanent id at the provider. */
  subject: string;
  email: string | null;
  /** The provider vouches for the address. */
  isEmailVerified: boolean;
  name: string | null;
  groups: string[];
  /** All claims, for the administrator. */
  claims: Record<string, unknown>;
  /** SAML: the provider's id of this login, used at logout. */
  saml?: { nameId: string; nameIdFormat: string; sessionIndex: string | null };
}

export const claimText = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

/** Reads a claim that may be one group or a list of them. */
export const claimGroups = (value: unknown): string[] =>
  [value].flat().filter((group): group is string => typeof group === 'string');
