import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ApiKeyScope } from '@/contract/access/api-key';
import type { WorkspaceTier } from '@/contract/tier';
import { databasePool, type DatabaseClient } from '@/server/platform/db/client';
import { groupCommit } from '@/server/platform/db/group-commit';
import type { AuthenticatedPerson } from '@/server/people/access/caller';
import { heldRolesSql, combineRoleRights, type HeldRole } from '@/server/people/access/permissions';
import { restrictToScopes } from '@/server/people/access/scopes';
import type { IdentifiedCaller } from './session';
import type { CallHeaders } from '@/server/platform/messages/client-address';

const BASE62_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_RANDOM_LENGTH = 32;
const KEY_CHECKSUM_LENGTH = 6;
/** The format of a key, recognisable for secret scanners. The last six characters are a checksum of the others. */
export const API_KEY_PATTERN = /^wk_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** CRC-32 in base 62: a scanner can check a key offline. */
function apiKeyChecksum(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let i = 0; i < KEY_CHECKSUM_LENGTH; i++) {
    text = BASE62_ALPHABET[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** 190 bits of randomness: an unsalted hash cannot be searched. */
export function generateApiKey(): string {
  const random = Array.from({ length: KEY_RANDOM_LENGTH }, () => BASE62_ALPHABET[randomInt(62)]).join('');
  return `wk_${random}${apiKeyChecksum(random)}`;
}

export const isWellFormedApiKey = (key: string): boolean => {
  const [, random = '', check] = API_KEY_PATTERN.exec(key) ?? [];
  return check !== undefined && check === apiKeyChecksum(random);
};

export const hashApiKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** The key of a call, from `X-API-Key` or as bearer token; null if there is none. */
export function readPresentedApiKey(headers: CallHeaders): string | null {
  const own = headers.get('x-api-key');
  if (own !== null) return own;
  return /^Bearer +(wk_\S{1,200})$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null;
}

/** SQL: whether the last use is to be stored, at most once a minute. */
const isKeyUseOldSql = (k: string) => `(${k}.last_used_at IS NULL OR ${k}.last_used_at < now() - interval '1 minute')`;

// Checked at every call, like a session: a revoked or expired key, a removed creator or a changed role takes effect at
// the next call. A key made in a session of a workspace's provider works while that provider exists and is enabled. It
// only reads, so that it also works while the database takes no changes.
const KEY_CALLER_QUERY = {
  name: 'who-by-key',
  text: `
    WITH k AS (
      SELECT * FROM api_key WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
        AND (sso_provider_id IS NULL
          OR EXISTS (SELECT FROM sso_provider p WHERE p.id = sso_provider_id AND p.workspace_id = api_key.workspace_id AND p.enabled))
    )
    SELECT k.id AS key_id, k.scopes, k.expires_at, k.last_used_at, ${isKeyUseOldSql('k')} AS is_use_old, u.id AS user_id, u.email, u.name, w.id AS workspace_id, w.tier, r.held
    FROM k
    JOIN app_user u ON u.id = k.user_id
    JOIN member m ON m.workspace_id = k.workspace_id AND m.user_id = k.user_id
    JOIN workspace w ON w.id = k.workspace_id
    LEFT JOIN LATERAL (${heldRolesSql('w.id', 'u.id')}) r ON true`,
};

interface KeyCallerRow {
  key_id: string;
  scopes: ApiKeyScope[];
  expires_at: Date | null;
  last_used_at: Date | null;
  is_use_old: boolean;
  user_id: string;
  email: string;
  name: string;
  workspace_id: string;
  tier: WorkspaceTier;
  held: HeldRole[] | null;
}

/** The scopes of a key. */
export async function findApiKeyScopes(db: DatabaseClient, id: string): Promise<ApiKeyScope[]> {
  const { scopes } = await db.apiKey.findUniqueOrThrow({ where: { id }, select: { scopes: true } });
  return scopes as ApiKeyScope[];
}

/** A valid key: its person, and the key's data. */
export interface ApiKeyCaller extends IdentifiedCaller {
  key: { id: string; scopes: ApiKeyScope[]; expiresAt: Date | null; lastUsedAt: Date | null };
}

/** The caller of a key: its creator in its workspace, restricted to its scopes. Null if the key is not valid. */
export async function findApiKeyCaller(key: string): Promise<ApiKeyCaller | null> {
  if (!isWellFormedApiKey(key)) return null;
  const { rows } = await databasePool().query<KeyCallerRow>({ values: [hashApiKey(key)], ...KEY_CALLER_QUERY });
  const [row] = rows;
  if (!row) return null;
  const person: AuthenticatedPerson = {
    userId: row.user_id,
    email: row.email,
    name: row.name,
    sessionId: null,
    apiKeyId: row.key_id,
    onlyWorkspaceId: row.workspace_id,
  };
  const { roles, permissions } = combineRoleRights(row.held ?? []);
  return {
    person,
    caller: {
      workspaceId: row.workspace_id,
      tier: row.tier,
      roles,
      permissions: restrictToScopes(permissions, row.scopes),
      ...person,
    },
    needsSso: false,
    pendingFactor: null,
    isUseOld: row.is_use_old,
    key: { id: row.key_id, scopes: row.scopes, expiresAt: row.expires_at, lastUsedAt: row.last_used_at },
  };
}

// SKIP LOCKED: another call that stores the same need not be waited for.
const MARK_KEY_USED_STATEMENT = {
  name: 'key-used',
  text: `
    UPDATE api_key SET last_used_at = now() WHERE id IN (
      SELECT id FROM api_key k WHERE id = ANY($1::text[]) AND ${isKeyUseOldSql('k')} FOR UPDATE SKIP LOCKED
    )`,
};

/** Stores that a key was used; concurrent calls store it once. */
export const markApiKeyUsed = groupCommit<string, void>(async (ids) => {
  await databasePool().query({ ...MARK_KEY_USED_STATEMENT, values: [[...new Set(ids)]] });
  return ids.map(() => undefined);
});
