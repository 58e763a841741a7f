import { isDeepStrictEqual } from 'node:util';
import type { Db } from '@/server/db/client';
import type { ApiFrame } from '@/server/openapi/record';
import { forgetAttempts } from '../authorization/attempts';
import { sealSecrets } from '../secrets';

const originsOf = ({ server, servers }: ApiFrame): string[] =>
  [server, ...Object.values(servers)].map((address) => new URL(address).origin);

/**
 * Whether a change could send secrets elsewhere: to another server, to other addresses of OAuth, or in another form. People who change a
 * connector need not know the secrets of its credentials.
 */
export function losesSecrets(before: ApiFrame, after: ApiFrame): boolean {
  const known = new Set(originsOf(before));
  const isNarrower = originsOf(after).every((origin) => known.has(origin));
  return !isNarrower || !isDeepStrictEqual(wayOf(before), wayOf(after));
}

/** How secrets are sent, without words and scopes. */
function wayOf({ authentication: { token, oauth } }: ApiFrame) {
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
 * Removes the secrets of a connector's credentials, its app registration and pending authorizations. Returns the number of credentials
 * that had secrets. The connector must be locked.
 */
export async function removeSecrets(db: Db, workspaceId: string, connectorId: string): Promise<number> {
  await forgetAttempts(db, workspaceId, connectorId);
  await db.connectorRegistration.deleteMany({ where: { workspaceId, connectorId } });
  await db.$queryRaw`
    SELECT id FROM credential WHERE workspace_id = ${workspaceId} AND connector_id = ${connectorId} ORDER BY id FOR UPDATE`;
  const rows = await db.credential.findMany({ where: { workspaceId, connectorId } });
  const holding = rows.filter(({ secretFields }) => secretFields.length > 0);
  for (const { id, tokenGeneration } of holding) {
    await db.credential.update({
      where: { id },
      data: {
        sealed: sealSecrets(id, {}),
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
