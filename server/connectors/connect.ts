import type { Credential } from '@/generated/prisma/client';
import type { Db } from '../db/client';
import { newId } from '../db/ids';
import type { Granted } from './exchange';
import { openSecrets, sealSecrets } from './secrets';

/** Which credential a grant goes into: a new one under this name, or an existing one. */
export type Target = { id: string; name: string; isNew: true } | { id: string; name: string | undefined; isNew: false };

interface Owner {
  workspaceId: string;
  userId: string;
  /** Null: the credential has addresses of its own, and keeps them. */
  connectorId: string | null;
}

const facts = ({ secrets, expiresAt }: Granted, id: string, kept: Record<string, unknown> = {}) => {
  const all = { ...kept, ...secrets };
  return { status: 'active', sealed: sealSecrets(id, all), secretFields: Object.keys(all), expiresAt };
};

/** Stores what a provider granted. Null: the credential to reconnect is gone. */
export async function storeGrant(db: Db, owner: Owner, target: Target, granted: Granted): Promise<Credential | null> {
  const { workspaceId, userId, connectorId } = owner;
  const { id } = target;
  if (target.isNew) {
    const config = granted.config as object;
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
    return db.credential.create({ data: { ...data, ...facts(granted, id) } });
  }
  await db.$queryRaw`SELECT id FROM credential WHERE id = ${id} FOR UPDATE`;
  const row = await db.credential.findFirst({ where: { id, workspaceId, connectorId, type: 'oauth2' } });
  if (!row) return null;
  // The old refresh token goes even where no new one came: it belongs to the old consent.
  const { refreshToken: _gone, ...kept } = openSecrets(id, row.sealed);
  const { allowedHosts, ...others } = row.config as Record<string, unknown>;
  const known = connectorId === null ? others : granted.config;
  return db.credential.update({
    where: { id },
    data: {
      ...facts(granted, id, kept),
      name: target.name,
      config: { ...known, ...(allowedHosts ? { allowedHosts } : {}) } as object,
      version: row.version + 1,
      tokenGeneration: row.tokenGeneration + 1,
      refreshingUntil: null,
      updatedAt: new Date(),
    },
  });
}

export const newTarget = (name: string): Target => ({ id: newId('cred'), name, isNew: true });
