import type { CredentialType } from '@/contract/credentials/credential';
import type { ConnectorDefinition } from './connector';

/** A credential with decrypted secrets. It lives as long as the call that needs it and is never stored. */
export interface OpenCredential {
  id: string;
  workspaceId: string;
  name: string;
  type: CredentialType;
  connectorId: string | null;
  /** The connector with that id; undefined: there is none, or none any more. */
  connector?: ConnectorDefinition | undefined;
  status: string;
  /** The stored reason of the provider's last refusal to give tokens; null: it has not refused. */
  refusal?: string | null;
  /** Public and secret fields together. */
  config: Record<string, unknown>;
  /** Every secret value, for the redactor. */
  secrets: string[];
  /** Expiry of the access token; null: unknown. */
  expiresAt: Date | null;
  /** Version of the tokens: shows whether they were renewed meanwhile. */
  tokenGeneration: number;
  /** Counts what people change. */
  version: number;
}

/** A text field of the config; undefined if it is not set. */
export function credentialText({ config }: Pick<OpenCredential, 'config'>, field: string): string | undefined {
  const value = config[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
