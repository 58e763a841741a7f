import { z } from 'zod';
import { Timestamp, page, text } from '../text';

/**
 * Limits the permissions of the creator. `read`: everything except members, SSO, API keys and audit log. `write`: also
 * change and run workflows, executions, credentials, webhooks, schedules and polls. `admin`: also members, roles, SSO, API
 * keys and audit log. `*`: all. `write` and `admin` include `read`.
 */
export const ApiKeyScope = z.enum(['read', 'write', 'admin', '*']).meta({ id: 'ApiKeyScope' });
export type ApiKeyScope = z.infer<typeof ApiKeyScope>;

export const ApiKeyCreate = z.strictObject({
  name: text(1, 200),
  scopes: z
    .array(ApiKeyScope)
    .min(1)
    .max(4)
    .refine((scopes) => new Set(scopes).size === scopes.length, { error: 'must not contain duplicates' }),
  expiresAt: Timestamp.nullable().optional().meta({ description: 'Absent or null: no expiry' }),
});

/** An API key in lists. */
export const ApiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    key: z.string().meta({ description: 'Masked', example: 'wk_…x7Qa' }),
    scopes: z.array(ApiKeyScope),
    createdBy: z.string(),
    ssoProviderId: z.string().nullable().meta({
      description:
        'The sign-in provider of the session that created it: the key works only while this provider is enabled',
    }),
    createdAt: Timestamp,
    expiresAt: Timestamp.nullable(),
    lastUsedAt: Timestamp.nullable().meta({ description: 'Accurate to one minute' }),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;

/** The response to a create: the full `key` is returned only here. */
export const ApiKeyCreated = ApiKey.extend({ key: z.string() }).meta({ id: 'ApiKeyCreated' });

export const ApiKeyPage = page(ApiKey).meta({ id: 'ApiKeyPage' });

/** The caller's own API key. */
export const ApiKeyValidity = z
  .object({
    valid: z.literal(true),
    scopes: z.array(ApiKeyScope),
    expiresAt: Timestamp.nullable(),
    lastUsedAt: Timestamp.nullable(),
  })
  .meta({ id: 'ApiKeyValidity' });
