import { configSchemaOf, secretNames, type CredentialType } from '@/contract/credential';
import { pool } from '../db/client';
import { open, seal } from '../db/seal';
import { runtime } from '../runtime';

/** A credential with its secrets in the clear. Lives as long as the call that needs it; never stored, never sent on. */
export interface OpenCredential {
  id: string;
  name: string;
  type: CredentialType;
  connectorId: string | null;
  status: string;
  /** Public and secret fields together. */
  config: Record<string, unknown>;
  /** Every secret value, for the redactor. */
  secrets: string[];
}

interface Row {
  id: string;
  name: string;
  type: CredentialType;
  connector_id: string | null;
  status: string;
  config: Record<string, unknown>;
  sealed: string;
}

const boundTo = (id: string) => `credential:${id}`;

/** A credential's secrets as one sealed text that opens in this row alone. */
export const sealSecrets = (id: string, secrets: Record<string, unknown>) =>
  seal(JSON.stringify(secrets), boundTo(id), runtime().env.encryptionKeys);

export const openSecrets = (id: string, sealed: string): Record<string, unknown> =>
  JSON.parse(open(sealed, boundTo(id), runtime().env.encryptionKeys)) as Record<string, unknown>;

/** Splits a parsed config into what may be shown and what is sealed. */
export function splitConfig(type: CredentialType, connectorId: string | null, config: Record<string, unknown>) {
  const names = new Set(secretNames(configSchemaOf(type, connectorId)));
  const entries = Object.entries(config).filter(([, value]) => value !== undefined);
  return {
    shown: Object.fromEntries(entries.filter(([name]) => !names.has(name))),
    secrets: Object.fromEntries(entries.filter(([name]) => names.has(name))),
  };
}

/** Every text inside a secret value: a custom credential's secrets are objects of headers and parameters. */
const texts = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : value && typeof value === 'object' ? Object.values(value).flatMap(texts) : [];

/** What else spells a secret on the wire: basic_auth travels as one base64 text of both halves. */
function derived({ type, config }: { type: CredentialType; config: Record<string, unknown> }): string[] {
  return type === 'basic_auth' ? [`${String(config['username'] ?? '')}:${String(config['password'] ?? '')}`] : [];
}

/**
 * The one place that decrypts credentials. Answers those of `ids` that exist in the workspace; what is missing or
 * belongs to somebody else is simply not there.
 */
export async function openCredentials(workspaceId: string, ids: string[]): Promise<Map<string, OpenCredential>> {
  if (ids.length === 0) return new Map();
  const { rows } = await pool().query<Row>({
    name: 'credentials.open',
    text: 'SELECT id, name, type, connector_id, status, config, sealed FROM credential WHERE workspace_id = $1 AND id = ANY($2)',
    values: [workspaceId, ids],
  });
  return new Map(
    rows.map((row) => {
      const secrets = openSecrets(row.id, row.sealed);
      const config = { ...row.config, ...secrets };
      const credential: OpenCredential = {
        id: row.id,
        name: row.name,
        type: row.type,
        connectorId: row.connector_id,
        status: row.status,
        config,
        secrets: [...texts(secrets), ...derived({ type: row.type, config })],
      };
      return [row.id, credential];
    }),
  );
}
