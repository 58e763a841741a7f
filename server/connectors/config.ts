import { z } from 'zod';
import { configSchemaOf, OAuth2Config, secretNames, type CredentialType } from '@/contract/credential';
import { believed } from './account';
import { connectorOf } from './index';
import type { Connector, Parameter } from './connector';

/** A connector's slots as fields of a credential's config. */
const slot = ({ title, hint, pattern, rule }: Parameter) =>
  z.string().max(253).regex(pattern, { error: rule }).optional().meta({ title, description: hint });

/** Tokens of a connector that came from elsewhere or by its exchange. Its addresses are the connector's own. */
function connectorConfig(connector: Connector) {
  const { account, parameters = [], name } = connector;
  const slots = Object.fromEntries(parameters.map((parameter) => [parameter.name, slot(parameter)]));
  const instanceUrl = OAuth2Config.shape.instanceUrl.refine((url) => !url || !account || believed(account, url), {
    error: `must be an address of ${name}`,
  });
  const accountId = z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .optional()
    .meta({ title: 'Account id' });
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

/** Splits a parsed config into what may be shown and what is sealed. */
export function splitConfig(type: CredentialType, connectorId: string | null, config: Record<string, unknown>) {
  const names = new Set(secretNames(schemaOf(type, connectorId)));
  const entries = Object.entries(config).filter(([, value]) => value !== undefined);
  return {
    shown: Object.fromEntries(entries.filter(([name]) => !names.has(name))),
    secrets: Object.fromEntries(entries.filter(([name]) => names.has(name))),
  };
}

/** Fields that say where secrets are sent; whoever changes one must know the secrets. */
const DESTINATIONS = ['tokenUrl', 'host'];

/** The destinations that a change would move while it keeps secrets that it doesn't know. */
export function movedDestinations(
  before: { config: Record<string, unknown>; secretFields: string[] },
  change: Record<string, unknown>,
): string[] {
  const keepsSecrets = before.secretFields.some((name) => change[name] === undefined);
  const moved = (name: string) =>
    before.config[name] !== undefined && change[name] !== undefined && change[name] !== before.config[name];
  return keepsSecrets ? DESTINATIONS.filter(moved) : [];
}
