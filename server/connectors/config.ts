import { z } from 'zod';
import {
  configSchemaForType,
  OAuth2Config,
  secretFieldNames,
  type CredentialType,
} from '@/contract/credentials/credential';
import { trustedOrigin } from './account';
import type { ConnectorDefinition, AddressSlot } from './connector';
import { tokenFieldSchema } from './token-access';

/** The schema of an address slot as a field of a credential's config. */
const slotFieldSchema = ({ title, hint, pattern, rule }: AddressSlot) =>
  z.string().max(253).regex(pattern, { error: rule }).meta({ title, description: hint, 'x-destination': 'address' });

/** A static token of a connector, and the slots of its addresses. */
function tokenConfigSchema({ token, parameters = [] }: ConnectorDefinition) {
  const slots = parameters.map((parameter) => {
    const field = slotFieldSchema(parameter);
    return [parameter.name, parameter.required ? field : field.optional()];
  });
  const fields = (token?.fields ?? []).map((field) => [field.name, tokenFieldSchema(field)]);
  return z.strictObject(Object.fromEntries([...slots, ...fields]) as z.ZodRawShape);
}

/** Tokens of a connector, entered by hand or from its exchange. Addresses come from the connector. */
function oauthConfigSchema(connector: ConnectorDefinition) {
  const { account, parameters = [], name } = connector;
  const slots = Object.fromEntries(
    parameters.map((parameter) => [parameter.name, slotFieldSchema(parameter).optional()]),
  );
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

/** A kind of credential. */
export interface CredentialKind {
  type: CredentialType;
  connectorId: string | null;
  /** Its connector, if it is one that connectors define. */
  connector: ConnectorDefinition | undefined;
}

/** The schema of a credential's config. */
export function credentialConfigSchema({ type, connectorId, connector }: CredentialKind): z.ZodObject {
  if (type === 'token') return connector?.token ? tokenConfigSchema(connector) : z.strictObject({});
  return type === 'oauth2' && connector ? oauthConfigSchema(connector) : configSchemaForType(type, connectorId);
}

/** Splits a parsed config into public fields and fields to seal. */
export function splitCredentialConfig(kind: CredentialKind, config: Record<string, unknown>) {
  const names = new Set(secretFieldNames(credentialConfigSchema(kind)));
  const entries = Object.entries(config).filter(([, value]) => value !== undefined);
  return {
    publicFields: Object.fromEntries(entries.filter(([name]) => !names.has(name))),
    secrets: Object.fromEntries(entries.filter(([name]) => names.has(name))),
  };
}

const toFormJsonSchema = (schema: z.ZodObject) =>
  z.toJSONSchema(schema, { target: 'draft-7', io: 'input' }) as Record<string, unknown>;

/** The form of a connector's static token; null: it takes none. */
export function describeTokenForm(connector: ConnectorDefinition) {
  const { token } = connector;
  if (!token) return null;
  const schema = tokenConfigSchema(connector);
  return {
    title: token.title,
    setup: token.setup,
    configSchema: toFormJsonSchema(schema),
    secretFields: secretFieldNames(schema),
  };
}
