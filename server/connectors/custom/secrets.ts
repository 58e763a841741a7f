import { isDeepStrictEqual } from 'node:util';
import type { DatabaseClient } from '@/server/platform/db/client';
import type { ApiConnection } from '@/server/evaluation/openapi/record';
import { forgetAuthorizations } from '../authorization/attempts';
import { sealCredentialSecrets } from '../secrets';

const serverOrigins = ({ server, servers }: ApiConnection): string[] =>
  [server, ...Object.values(servers)].map((address) => new URL(address).origin);

/**
 * Whether a change could send secrets elsewhere: to another server, to other addresses of OAuth, or in another form.
 * People who change a connector need not know the secrets of its credentials.
 */
export function changeLosesSecrets(before: ApiConnection, after: ApiConnection): boolean {
  const known = new Set(serverOrigins(before));
  const isNarrower = serverOrigins(after).every((origin) => known.has(origin));
  return !isNarrower || !isDeepStrictEqual(secretTransport(before), secretTransport(after));
}

/** The part of an API's description that determines how secrets are sent; titles and scopes do not. */
function secretTransport({ authentication: { token, oauth } }: ApiConnection) {
  return {
    token: token && {
      fields: token.fields.map(({ name, isSecret }) => ({ name, isSecret })),
      headers: token.headers,
      query: token.query,
      basic: token.basic,
    },
    oauth: oauth && { flow: oauth.flow, authorizeUrl: oauth.authorizeUrl, tokenUrl: oauth.tokenUrl },
  };
}

/**
 * Removes the secrets of a connector's credentials, its app registration and pending authorizations. Returns the number
 * of credentials that had secrets. The connector must be locked.
 */
export async function removeConnectorSecrets(
  db: DatabaseClient,
  workspaceId: string,
  connectorId: string,
): Promise<number> {
  await forgetAuthorizations(db, workspaceId, connectorId);
  await db.connectorRegistration.deleteMany({ where: { workspaceId, connectorId } });
  await db.$queryRaw`
    SELECT id FROM credential WHERE workspace_id = ${workspaceId} AND connector_id = ${connectorId} ORDER BY id FOR UPDATE`;
  const rows = await db.credential.findMany({ where: { workspaceId, connectorId } });
  const holding = rows.filter(({ secretFields }) => secretFields.length > 0);
  for (const { id, tokenGeneration } of holding) {
    await db.credential.update({
      where: { id },
      data: {
        sealed: sealCredentialSecrets(id, {}),
        secretFields: [],
        grantedFields: [],
        status: 'expired',
        refusal: null,
        expiresAt: null,
        tokenGeneration: tokenGeneration + 1,
        refreshingUntil: null,
        updatedAt: new Date(),
      },
    });
  }
  return holding.length;
}
