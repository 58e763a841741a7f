import type { CredentialType } from '@/contract/credentials/credential';
import { databasePool } from '@/server/platform/db/client';
import type { ConnectorDefinition } from './connector';
import { toCustomConnector, type CustomConnectorRow } from './custom/connector';
import { connectorForCredential } from './lookup';
import type { OpenCredential } from './open-credential';
import { openCredentialSecrets, redactableSecrets, collectSecretTexts } from './secrets';
import { tokenBasicPairs } from './token-access';

interface CredentialRow {
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
  /**
   * The workspace's connector, if it has made the credential's: in the same snapshot, so that no secret meets another
   * address.
   */
  custom: CustomConnectorRow | null;
}

/** The pair of HTTP basic authentication, which is redacted as well because it is sent as one base64 text. */
function basicAuthSecrets(
  type: CredentialType,
  connector: ConnectorDefinition | undefined,
  config: Record<string, unknown>,
): string[] {
  if (type === 'token') return tokenBasicPairs(connector, config);
  return type === 'basic_auth' ? [`${String(config['username'] ?? '')}:${String(config['password'] ?? '')}`] : [];
}

function openCredentialRow(row: CredentialRow, connector: ConnectorDefinition | undefined): OpenCredential {
  const secrets = openCredentialSecrets(row.id, row.sealed);
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
    secrets: [...collectSecretTexts(redactableSecrets(secrets)), ...basicAuthSecrets(row.type, connector, config)],
    expiresAt: row.expires_at,
    tokenGeneration: row.token_generation,
    version: row.version,
  };
}

/** Opens the current versions of credentials. Ids that do not exist in the workspace are left out. */
export async function openCredentials(workspaceId: string, ids: string[]): Promise<Map<string, OpenCredential>> {
  if (ids.length === 0) return new Map();
  const { rows } = await databasePool().query<CredentialRow>({
    name: 'credentials.open',
    text: `SELECT c.id, c.workspace_id, c.name, c.type, c.connector_id, c.status, c.refusal, c.config, c.sealed, c.expires_at, c.token_generation, c.version,
        CASE WHEN k.id IS NOT NULL THEN json_build_object('id', k.id, 'workspaceId', k.workspace_id, 'name', k.name,
          'description', k.description, 'version', k.version, 'frame', k.frame) END AS custom
      FROM credential c LEFT JOIN connector k ON k.id = c.connector_id AND k.workspace_id = c.workspace_id
      WHERE c.workspace_id = $1 AND c.id = ANY($2)`,
    values: [workspaceId, ids],
  });
  const open = (row: CredentialRow) => {
    const custom = row.custom ? toCustomConnector(row.custom) : undefined;
    return openCredentialRow(row, connectorForCredential({ ...row, connectorId: row.connector_id }, custom));
  };
  return new Map(rows.map((row) => [row.id, open(row)]));
}
