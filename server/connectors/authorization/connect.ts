import type { CredentialType } from '@/contract/credentials/credential';
import type { Credential } from '@/generated/prisma/client';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import type { ConnectorDefinition } from '../connector';
import { forgetAuthorizations } from './attempts';
import { requireBelowCap } from '@/server/platform/quotas/caps';
import type { GrantedCredential } from './exchange';
import { isRenewable } from './grant';
import { openCredentialSecrets, sealCredentialSecrets } from '../secrets';

/** The credential that a grant is stored in: a new one with this name, or an existing one. */
export type GrantTarget =
  | { id: string; name: string; isNew: true }
  | { id: string; name: string | undefined; isNew: false };

interface GrantOwner {
  workspaceId: string;
  userId: string;
  /** Null: the credential has its own addresses and keeps them. */
  connectorId: string | null;
}

const grantedColumns = (
  { secrets, expiresAt }: GrantedCredential,
  id: string,
  otherSecrets: Record<string, unknown> = {},
) => {
  const all = { ...otherSecrets, ...secrets };
  return {
    status: 'active',
    refusal: null,
    sealed: sealCredentialSecrets(id, all),
    secretFields: Object.keys(all),
    grantedFields: Object.keys(secrets),
    expiresAt,
  };
};

/** Stores a provider's grant. Returns null if the credential to reconnect is gone. */
export async function storeProviderGrant(
  db: DatabaseClient,
  owner: GrantOwner,
  target: GrantTarget,
  grant: GrantedCredential,
): Promise<Credential | null> {
  const { workspaceId, userId, connectorId } = owner;
  const { id } = target;
  if (target.isNew) {
    await requireBelowCap(db, 'credentials', workspaceId);
    const config = grant.config as object;
    const data = {
      id,
      workspaceId,
      connectorId,
      type: 'oauth2',
      name: target.name,
      config,
      version: 1,
      createdBy: userId,
    };
    return db.credential.create({ data: { ...data, ...grantedColumns(grant, id) } });
  }
  await db.$queryRaw`SELECT id FROM credential WHERE id = ${id} FOR UPDATE`;
  const row = await db.credential.findFirst({ where: { id, workspaceId, connectorId, type: 'oauth2' } });
  if (!row) return null;
  // The old refresh token is removed even without a new one, because it belongs to the old consent. At a connector the
  // config is replaced as well, so that no secret of the old config stays.
  const { refreshToken: _gone, ...otherSecrets } = connectorId === null ? openCredentialSecrets(id, row.sealed) : {};
  const { allowedHosts, ...others } = row.config as Record<string, unknown>;
  const previousConfig = connectorId === null ? others : grant.config;
  return db.credential.update({
    where: { id },
    data: {
      ...grantedColumns(grant, id, otherSecrets),
      name: target.name,
      config: { ...previousConfig, ...(allowedHosts ? { allowedHosts } : {}) } as object,
      version: row.version + 1,
      tokenGeneration: row.tokenGeneration + 1,
      refreshingUntil: null,
      updatedAt: new Date(),
    },
  });
}

/** The status of a credential that has lost its granted tokens: `active` if it can get others by itself. */
export const statusWithoutTokens = (
  { type }: Pick<Credential, 'type'>,
  connector: ConnectorDefinition | undefined,
  config: object,
  secrets: object,
): 'active' | 'expired' =>
  isRenewable({ type: type as CredentialType, connector, config: { ...config, ...secrets } }) ? 'active' : 'expired';

/**
 * Removes every secret of a connector's credentials and deletes pending authorizations, because their tokens belong to
 * addresses that the connector no longer uses. Returns the number of credentials.
 */
export async function disconnectCredentials(
  db: DatabaseClient,
  workspaceId: string,
  connector: ConnectorDefinition,
): Promise<number> {
  const connectorId = connector.id;
  await forgetAuthorizations(db, workspaceId, connectorId);
  await db.$queryRaw`
    SELECT id FROM credential WHERE workspace_id = ${workspaceId} AND connector_id = ${connectorId} ORDER BY id FOR UPDATE`;
  const rows = await db.credential.findMany({ where: { workspaceId, connectorId, type: 'oauth2' } });
  const holding = rows.filter(({ secretFields }) => secretFields.length > 0);
  for (const row of holding) {
    await db.credential.update({
      where: { id: row.id },
      data: {
        sealed: sealCredentialSecrets(row.id, {}),
        secretFields: [],
        grantedFields: [],
        status: statusWithoutTokens(row, connector, row.config as object, {}),
        refusal: null,
        expiresAt: null,
        tokenGeneration: row.tokenGeneration + 1,
        refreshingUntil: null,
        updatedAt: new Date(),
      },
    });
  }
  return holding.length;
}

export const newCredentialTarget = (name: string): GrantTarget => ({ id: generateId('cred'), name, isNew: true });
