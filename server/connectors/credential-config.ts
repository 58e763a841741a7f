import { destinationsOf, secretNames, type CredentialType } from '@/contract/credentials/credential';
import type { Credential as Row, Prisma } from '@/generated/prisma/client';
import { invalid } from '@/server/errors/problem';
import { explain, fieldErrors } from '@/server/errors/zod-issues';
import { schemaOf, splitConfig, type CredentialKind } from './config';
import type { Connector } from './connector';
import { statusWithoutTokens } from './authorization/connect';
import { requireSecrets } from './destinations';
import { connectorFor } from './lookup';
import { openSecrets, sealSecrets } from './secrets';

/** The config parsed by its schema; every invalid field is reported under `config`. */
export function parseConfig(kind: CredentialKind, config: unknown): Record<string, unknown> {
  const parsed = schemaOf(kind).safeParse(config, { error: explain });
  if (!parsed.success) throw invalid(fieldErrors(parsed.error, ['config']));
  return parsed.data;
}

/**
 * Replaces the old config. Secrets that the new one leaves out are kept if their destination is unchanged. `custom`: the workspace's
 * connector of the credential.
 */
export function configChanges(row: Row, config: Record<string, unknown>, custom: Connector | undefined) {
  const stored = row.config as Record<string, unknown>;
  const connector = connectorFor({ ...row, config: stored }, custom);
  const kind: CredentialKind = { type: row.type as CredentialType, connectorId: row.connectorId, connector };
  const schema = schemaOf(kind);
  const parsed = parseConfig(kind, { ...openSecrets(row.id, row.sealed), ...config });
  const { publicFields: publicConfig, secrets } = splitConfig(kind, parsed);
  const fields = Object.keys(config).filter((name) => config[name] !== undefined);
  const { destinations: changedDestinations, removedSecrets } = requireSecrets(
    {
      destinations: destinationsOf(schema),
      before: stored,
      after: publicConfig,
      secrets: row.secretFields,
      fields,
      grantedSecrets: row.grantedFields,
    },
    'config.',
  );
  const remaining = without(secrets, removedSecrets);
  const isStatic = row.type === 'token' && secretNames(schema).some((name) => fields.includes(name));
  const hasNewTokens = isStatic || fields.includes('accessToken') || fields.includes('refreshToken');
  const data: Prisma.CredentialUpdateInput = {
    config: publicConfig as Prisma.InputJsonObject,
    sealed: sealSecrets(row.id, remaining),
    secretFields: Object.keys(remaining),
    grantedFields: row.grantedFields.filter((name) => name in remaining && !fields.includes(name)),
    // A pending renewal must not write tokens from the old address.
    ...(hasNewTokens || changedDestinations.length > 0
      ? { tokenGeneration: row.tokenGeneration + 1, refreshingUntil: null }
      : {}),
    ...(hasNewTokens ? { status: 'active', expiresAt: null } : {}),
    refusal: null,
    // What was refused may be what has changed, so it is tried again; or it was created without its secrets.
    ...((row.type === 'oauth2' || row.secretFields.length === 0) && row.status === 'expired' && !hasNewTokens
      ? { status: row.type === 'oauth2' ? statusWithoutTokens(row, connector, publicConfig, remaining) : 'active' }
      : {}),
    ...(removedSecrets.length > 0 && !hasNewTokens
      ? { status: statusWithoutTokens(row, connector, publicConfig, remaining), expiresAt: null }
      : {}),
  };
  return { data, isMoved: changedDestinations.length > 0 };
}

const without = (values: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
