/** What a provider says of a person, whatever its protocol. Proven to come from the provider; not yet judged. */
export interface Asserted {
  /** The person's lasting name at the provider. */
  subject: string;
  email: string | null;
  /** The provider vouches for the address. */
  isEmailVerified: boolean;
  name: string | null;
  groups: string[];
  /** All of it, for the administrator's eyes. */
  claims: Record<string, unknown>;
  /** SAML: what the provider's logout will call this login. */
  saml?: { nameId: string; nameIdFormat: string; sessionIndex: string | null };
}

export const textIn = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

/** A claim that may be one group or a list of them. */
export const groupsIn = (value: unknown): string[] =>
  [value].flat().filter((group): group is string => typeof group === 'string');
