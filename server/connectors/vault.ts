import type { CredentialType } from '@/contract/credentials/credential';
import { pool } from '@/server/db/client';
import type { Connector } from './connector';
import { customConnector, type CustomRow } from './custom/connector';
import { connectorFor } from './lookup';
import type { OpenCredential } from './open-credential';
import { openSecrets, searchedSecrets, textsIn } from './secrets';
import { tokenPair } from './token-access';

interface Row {
  id: string;
  workspace_id: string;
  name: string;
  type: CredentialType;
  connector_id: string | null;
  status: string;
  refusal: string | null;
  config: Record<string, unknown>;
  sealed: string;
  expires_at: Date | null;
  token_generation: number;
  version: number;
  /** The workspace's connector, if it has made the credential's: in the same snapshot, so that no secret meets another address. */
  custom: CustomRow | null;
}

/** Encoded forms of a secret: both halves of HTTP basic authentication are sent as one base64 text. */
function derived(type: CredentialType, connector: Connector | undefined, config: Record<string, unknown>): string[] {
  if (type === 'token') return tokenPair(connector, config);
  return type === 'basic_auth' ? [`${String(config['username'] ?? '')}:${String(config['password'] ?? '')}`] : [];
}

function openRow(row: Row, connector: Connector | undefined): OpenCredential {
  const secrets = openSecrets(row.id, row.sealed);
  const config = { ...row.config, ...secrets };
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    type: row.type,
    connectorId: row.connector_id,
    connector,
    status: row.status,
    refusal: row.refusal,
    config,
    secrets: [...textsIn(searchedSecrets(secrets)), ...derived(row.type, connector, config)],
    expiresAt: row.expires_at,
    tokenGeneration: row.token_generation,
    version: row.version,
  };
}

/** Opens the current versions of credentials. Ids that do not exist in the workspace are left out. */
export async function openCredentials(workspaceId: string, ids: string[]): Promise<Map<string, OpenCredential>> {
  if (ids.length === 0) return new Map();
  const { rows } = await pool().query<Row>({
    name: 'credentials.open',
    text: `SELECT c.id, c.workspace_id, c.name, c.type, c.connector_id, c.status, c.refusal, c.config, c.sealed, c.expires_at, c.token_generation, c.version,
        CASE WHEN k.id IS NOT NULL THEN json_build_object('id', k.id, 'workspaceId', k.workspace_id, 'name', k.name,
          'description', k.description, 'version', k.version, 'frame', k.frame) END AS custom
      FROM credential c LEFT JOIN connector k ON k.id = c.connector_id AND k.workspace_id = c.workspace_id
      WHERE c.workspace_id = $1 AND c.id = ANY($2)`,
    values: [workspaceId, ids],
  });
  const open = (row: Row) => {
    const custom = row.custom ? customConnector(row.custom) : undefined;
    return openRow(row, connectorFor({ ...row, connectorId: row.connector_id }, custom));
  };
  return new Map(rows.map((row) => [row.id, open(row)]));
}
