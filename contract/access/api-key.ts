import { z } from 'zod';
import { CreatedAt, ObjectId } from '../shared-fields';
import { Timestamp, pageSchema, boundedText } from '../text';

/**
 * Limits the permissions of the creator. `read`: everything except members, SSO, API keys and audit log. `write`: also
 * change and run workflows, executions, credentials, webhooks, schedules and polls. `admin`: also members, roles, SSO,
 * API keys and audit log. `*`: all. `write` and `admin` include `read`.
 */
export const ApiKeyScope = z.enum(['read', 'write', 'admin', '*']).meta({
  id: 'ApiKeyScope',
  description: 'What a key may do. `write` and `admin` include `read`; `*` is everything that its owner may do.',
});
export type ApiKeyScope = z.infer<typeof ApiKeyScope>;

export const CreateApiKeyRequest = z.strictObject({
  name: boundedText(1, 200).describe('What the key is for'),
  scopes: z
    .array(ApiKeyScope)
    .min(1)
    .max(4)
    .refine((scopes) => new Set(scopes).size === scopes.length, { error: 'must not contain duplicates' })
    .describe('What it may do'),
  expiresAt: Timestamp.nullable().optional().meta({ description: 'Absent or null: no expiry' }),
});

/** An API key in lists. */
export const ApiKeyResponse = z
  .object({
    id: ObjectId,
    name: z.string().describe('What the key is for'),
    key: z.string().meta({ description: 'Masked', example: 'wk_…x7Qa' }),
    scopes: z.array(ApiKeyScope).describe('What it may do'),
    createdBy: z.string().describe('The id of the user who created it; null: the service'),
    ssoProviderId: z.string().nullable().meta({
      description:
        'The sign-in provider of the session that created it: the key works only while this provider is enabled',
    }),
    createdAt: CreatedAt,
    expiresAt: Timestamp.nullable().describe('When it expires; null: never'),
    lastUsedAt: Timestamp.nullable().meta({ description: 'Accurate to one minute' }),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without the key itself' });
export type ApiKeyResponse = z.infer<typeof ApiKeyResponse>;

/** The response to a create: the full `key` is returned only here. */
export const CreateApiKeyResponse = ApiKeyResponse.extend({
  key: z.string().describe('What calls send as `X-API-Key`; shown once'),
}).meta({ id: 'ApiKeyCreated', description: 'A new API key; the key is shown once' });

export const ListApiKeysResponse = pageSchema(ApiKeyResponse).meta({ id: 'ApiKeyPage' });

/** The caller's own API key. */
export const ApiKeyValidity = z
  .object({
    valid: z.literal(true).describe('Always true: other keys are refused'),
    scopes: z.array(ApiKeyScope).describe('What it may do'),
    expiresAt: Timestamp.nullable().describe('When it expires; null: never'),
    lastUsedAt: Timestamp.nullable().describe('When it was used last; null: never'),
  })
  .meta({ id: 'ApiKeyValidity', description: 'Whether the key of this call is valid, and what it may do' });
