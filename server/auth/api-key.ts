import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ApiKeyScope } from '@/contract/access/api-key';
import type { Tier } from '@/contract/tier';
import { pool, type Db } from '@/server/db/client';
import { groupCommit } from '@/server/db/group-commit';
import type { Person } from '@/server/access/caller';
import { heldRoles, rightsOf, type HeldRole } from '@/server/access/permissions';
import { cutDown } from '@/server/access/scopes';
import type { Standing } from './session';
import type { CallHeaders } from '@/server/client-address';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 32;
const CHECK_CHARACTERS = 6;
/** The format of a key, recognisable for secret scanners. The last six characters are a checksum of the others. */
export const KEY_PATTERN = /^wk_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** CRC-32 in base 62: a scanner can check a key offline. */
function checksum(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let i = 0; i < CHECK_CHARACTERS; i++) {
    text = ALPHABET[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** 190 bits of randomness: an unsalted hash cannot be searched. */
export function newApiKey(): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => ALPHABET[randomInt(62)]).join('');
  return `wk_${random}${checksum(random)}`;
}

export const isWellFormed = (key: string): boolean => {
  const [, random = '', check] = KEY_PATTERN.exec(key) ?? [];
  return check !== undefined && check === checksum(random);
};

export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** The key of a call, from `X-API-Key` or as bearer token; null if there is none. */
export function presentedKey(headers: CallHeaders): string | null {
  const own = headers.get('x-api-key');
  if (own !== null) return own;
  return /^Bearer +(wk_\S{1,200})$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null;
}

/** SQL: whether the last use is to be stored, at most once a minute. */
const isKeyUseOld = (k: string) => `(${k}.last_used_at IS NULL OR ${k}.last_used_at < now() - interval '1 minute')`;

// Checked at every call, like a session: a revoked or expired key, a removed creator or a changed role takes effect at
// the next call. A key made in a session of a workspace's provider works while that provider exists and is enabled. It
// only reads, so that it also works while the database takes no changes.
const WHO = {
  name: 'who-by-key',
  text: `
    WITH k AS (
      SELECT * FROM api_key WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
        AND (sso_provider_id IS NULL
          OR EXISTS (SELECT FROM sso_provider p WHERE p.id = sso_provider_id AND p.workspace_id = api_key.workspace_id AND p.enabled))
    )
    SELECT k.id AS key_id, k.scopes, k.expires_at, k.last_used_at, ${isKeyUseOld('k')} AS is_use_old, u.id AS user_id, u.email, u.name, w.id AS workspace_id, w.tier, r.held
    FROM k
    JOIN app_user u ON u.id = k.user_id
    JOIN member m ON m.workspace_id = k.workspace_id AND m.user_id = k.user_id
    JOIN workspace w ON w.id = k.workspace_id
    LEFT JOIN LATERAL (${heldRoles('w.id', 'u.id')}) r ON true`,
};

interface WhoRow {
  key_id: string;
  scopes: ApiKeyScope[];
  expires_at: Date | null;
  last_used_at: Date | null;
  is_use_old: boolean;
  user_id: string;
  email: string;
  name: string;
  workspace_id: string;
  tier: Tier;
  held: HeldRole[] | null;
}

/** The scopes of a key. */
export async function scopesOf(db: Db, id: string): Promise<ApiKeyScope[]> {
  const { scopes } = await db.apiKey.findUniqueOrThrow({ where: { id }, select: { scopes: true } });
  return scopes as ApiKeyScope[];
}

/** A valid key: its person, and the key's data. */
export interface KeyStanding extends Standing {
  key: { id: string; scopes: ApiKeyScope[]; expiresAt: Date | null; lastUsedAt: Date | null };
}

/** The caller of a key: its creator in its workspace, restricted to its scopes. Null if the key is not valid. */
export async function callerFromKey(key: string): Promise<KeyStanding | null> {
  if (!isWellFormed(key)) return null;
  const { rows } = await pool().query<WhoRow>({ values: [hashOfKey(key)], ...WHO });
  const [row] = rows;
  if (!row) return null;
  const person: Person = {
    userId: row.user_id,
    email: row.email,
    name: row.name,
    sessionId: null,
    apiKeyId: row.key_id,
    onlyWorkspaceId: row.workspace_id,
  };
  const { roles, permissions } = rightsOf(row.held ?? []);
  return {
    person,
    caller: {
      workspaceId: row.workspace_id,
      tier: row.tier,
      roles,
      permissions: cutDown(permissions, row.scopes),
      ...person,
    },
    needsSso: false,
    pendingFactor: null,
    isUseOld: row.is_use_old,
    key: { id: row.key_id, scopes: row.scopes, expiresAt: row.expires_at, lastUsedAt: row.last_used_at },
  };
}

// SKIP LOCKED: another call that stores the same need not be waited for.
const TOUCH = {
  name: 'key-used',
  text: `
    UPDATE api_key SET last_used_at = now() WHERE id IN (
      SELECT id FROM api_key k WHERE id = ANY($1::text[]) AND ${isKeyUseOld('k')} FOR UPDATE SKIP LOCKED
    )`,
};

/** Stores that a key was used; concurrent calls store it once. */
export const markKeyUsed = groupCommit<string, void>(async (ids) => {
  await pool().query({ ...TOUCH, values: [[...new Set(ids)]] });
  return ids.map(() => undefined);
});
