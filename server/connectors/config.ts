import { z } from 'zod';
import { configSchemaOf, OAuth2Config, secretNames, type CredentialType } from '@/contract/credential';
import { trustedOrigin } from './account';
import { connectorOf } from './index';
import type { Connector, Parameter } from './connector';

/** A connector's slots as fields of a credential's config. */
const slot = ({ title, hint, pattern, rule }: Parameter) =>
  z
    .string()
    .max(253)
    .regex(pattern, { error: rule })
    .optional()
    .meta({ title, description: hint, 'x-destination': 'address' });

/** Tokens of a connector, entered by hand or from its exchange. Addresses come from the connector. */
function connectorConfig(connector: Connector) {
  const { account, parameters = [], name } = connector;
  const slots = Object.fromEntries(parameters.map((parameter) => [parameter.name, slot(parameter)]));
  const instanceUrl = OAuth2Config.shape.instanceUrl.refine((url) => !url || !account || trustedOrigin(account, url), {
    error: `must be an address of ${name}`,
  });
  const accountId = z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .optional()
    .meta({ title: 'Account id', 'x-destination': 'address' });
  return OAuth2Config.omit({ authorizeUrl: true, tokenUrl: true, clientAuthentication: true }).extend({
    instanceUrl,
    accountId,
    ...slots,
  });
}

/** The schema of a credential's config; for `oauth2` with a known connector, that connector's. */
export function schemaOf(type: CredentialType, connectorId: string | null): z.ZodObject {
  const connector = type === 'oauth2' ? connectorOf(connectorId) : undefined;
  return connector ? connectorConfig(connector) : configSchemaOf(type, connectorId);
}

/** Splits a parsed config into public fields and fields to seal. */
export function splitConfig(type: CredentialType, connectorId: string | null, config: Record<string, unknown>) {
  const names = new Set(secretNames(schemaOf(type, connectorId)));
  const entries = Object.entries(config).filter(([, value]) => value !== undefined);
  return {
    publicFields: Object.fromEntries(entries.filter(([name]) => !names.has(name))),
    secrets: Object.fromEntries(entries.filter(([name]) => names.has(name))),
  };
}
