import { z } from 'zod';
import { Timestamp, page, text } from './text';

/**
 * What a key may do of what its creator may: `read` reads everything but members, SSO, keys and audit; `write` also
 * changes and runs workflows, executions, credentials, webhooks and schedules; `admin` has members, roles, SSO, keys
 * and audit; `*` all. `write` and `admin` include `read`.
 */
export const ApiKeyScope = z.enum(['read', 'write', 'admin', '*']).meta({ id: 'ApiKeyScope' });
export type ApiKeyScope = z.infer<typeof ApiKeyScope>;

export const ApiKeyCreate = z.strictObject({
  name: text(1, 200),
  scopes: z
    .array(ApiKeyScope)
    .min(1)
    .max(4)
    .refine((scopes) => new Set(scopes).size === scopes.length, { error: 'must not name a scope twice' }),
  expiresAt: Timestamp.nullable().optional().meta({ description: 'Absent or null: it does not expire' }),
});

/** A key as lists show it. */
export const ApiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    key: z.string().meta({ description: 'Masked', example: 'wk_…x7Qa' }),
    scopes: z.array(ApiKeyScope),
    createdBy: z.string(),
    createdAt: Timestamp,
    expiresAt: Timestamp.nullable(),
    lastUsedAt: Timestamp.nullable().meta({ description: 'Exact to a minute' }),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;

/** The answer to a create: `key` is whole here and never again. */
export const ApiKeyCreated = ApiKey.extend({ key: z.string() }).meta({ id: 'ApiKeyCreated' });

export const ApiKeyPage = page(ApiKey).meta({ id: 'ApiKeyPage' });

/** What a key says of itself. */
export const ApiKeyValidity = z
  .object({
    valid: z.literal(true),
    scopes: z.array(ApiKeyScope),
    expiresAt: Timestamp.nullable(),
    lastUsedAt: Timestamp.nullable(),
  })
  .meta({ id: 'ApiKeyValidity' });
