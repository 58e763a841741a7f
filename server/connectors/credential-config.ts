import { destinationFields, secretFieldNames, type CredentialType } from '@/contract/credentials/credential';
import type { Credential as Row, Prisma } from '@/generated/prisma/client';
import { invalidRequestProblem } from '@/server/platform/errors/problem';
import { explainMissingValue, toFieldErrors } from '@/server/platform/errors/zod-issues';
import { credentialConfigSchema, splitCredentialConfig, type CredentialKind } from './config';
import type { ConnectorDefinition } from './connector';
import { statusWithoutTokens } from './authorization/connect';
import { requireSecretsAgain } from '@/server/network/outbound/destinations';
import { connectorForCredential } from './lookup';
import { openCredentialSecrets, sealCredentialSecrets } from './secrets';

/** The config parsed by its schema; every invalid field is reported under `config`. */
export function parseCredentialConfig(kind: CredentialKind, config: unknown): Record<string, unknown> {
  const parsed = credentialConfigSchema(kind).safeParse(config, { error: explainMissingValue });
  if (!parsed.success) throw invalidRequestProblem(toFieldErrors(parsed.error, ['config']));
  return parsed.data;
}

/**
 * Replaces the old config. Secrets that the new one leaves out are kept if their destination is unchanged. `custom`:
 * the workspace's connector of the credential.
 */
export function credentialConfigChanges(
  row: Row,
  config: Record<string, unknown>,
  custom: ConnectorDefinition | undefined,
) {
  const stored = row.config as Record<string, unknown>;
  const connector = connectorForCredential({ ...row, config: stored }, custom);
  const kind: CredentialKind = { type: row.type as CredentialType, connectorId: row.connectorId, connector };
  const schema = credentialConfigSchema(kind);
  const parsed = parseCredentialConfig(kind, { ...openCredentialSecrets(row.id, row.sealed), ...config });
  const { publicFields: publicConfig, secrets } = splitCredentialConfig(kind, parsed);
  const fields = Object.keys(config).filter((name) => config[name] !== undefined);
  const { destinations: changedDestinations, removedSecrets } = requireSecretsAgain(
    {
      destinations: destinationFields(schema),
      before: stored,
      after: publicConfig,
      secrets: row.secretFields,
      fields,
      grantedSecrets: row.grantedFields,
    },
    'config.',
  );
  const remaining = omitRemovedSecrets(secrets, removedSecrets);
  const isStatic = row.type === 'token' && secretFieldNames(schema).some((name) => fields.includes(name));
  const hasNewTokens = isStatic || fields.includes('accessToken') || fields.includes('refreshToken');
  const data: Prisma.CredentialUpdateInput = {
    config: publicConfig as Prisma.InputJsonObject,
    sealed: sealCredentialSecrets(row.id, remaining),
    secretFields: Object.keys(remaining),
    grantedFields: row.grantedFields.filter((name) => name in remaining && !fields.includes(name)),
    // A pending renewal must not write tokens from the old address.
    ...(hasNewTokens || changedDestinations.length > 0
      ? { tokenGeneration: row.tokenGeneration + 1, refreshingUntil: null }
      : {}),
    ...(hasNewTokens ? { status: 'active', expiresAt: null } : {}),
    refusal: null,
    // The provider may have refused what has changed now, or the credential was created without its secrets: it is
    // tried again.
    ...((row.type === 'oauth2' || row.secretFields.length === 0) && row.status === 'expired' && !hasNewTokens
      ? { status: row.type === 'oauth2' ? statusWithoutTokens(row, connector, publicConfig, remaining) : 'active' }
      : {}),
    ...(removedSecrets.length > 0 && !hasNewTokens
      ? { status: statusWithoutTokens(row, connector, publicConfig, remaining), expiresAt: null }
      : {}),
  };
  return { data, isMoved: changedDestinations.length > 0 };
}

const omitRemovedSecrets = (values: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
