import type { CredentialType } from '@/contract/credential';

/** A credential with its secrets in the clear. Lives as long as the call that needs it; never stored, never sent on. */
export interface OpenCredential {
  id: string;
  workspaceId: string;
  name: string;
  type: CredentialType;
  connectorId: string | null;
  status: string;
  /** Public and secret fields together. */
  config: Record<string, unknown>;
  /** Every secret value, for the redactor. */
  secrets: string[];
  /** When the access token ends; null: nobody said. */
  expiresAt: Date | null;
  /** Counts the tokens: tells whether somebody renewed them meanwhile. */
  tokenGeneration: number;
}

/** A text field of the config; undefined when it isn't set. */
export function textOf({ config }: OpenCredential, field: string): string | undefined {
  const value = config[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
