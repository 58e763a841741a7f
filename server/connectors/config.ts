import { z } from 'zod';
import { configSchemaOf, OAuth2Config, secretNames, type CredentialType } from '@/contract/credentials/credential';
import { trustedOrigin } from './account';
import type { Connector, Parameter } from './connector';
import { tokenField } from './token-access';

/** A connector's slots as fields of a credential's config. */
const slot = ({ title, hint, pattern, rule }: Parameter) =>
  z.string().max(253).regex(pattern, { error: rule }).meta({ title, description: hint, 'x-destination': 'address' });

/** A static token of a connector, and the slots of its addresses. */
function tokenConfig({ token, parameters = [] }: Connector) {
  const slots = parameters.map((parameter) => {
    const field = slot(parameter);
    return [parameter.name, parameter.required ? field : field.optional()];
  });
  const fields = (token?.fields ?? []).map((field) => [field.name, tokenField(field)]);
  return z.strictObject(Object.fromEntries([...slots, ...fields]) as z.ZodRawShape);
}

/** Tokens of a connector, entered by hand or from its exchange. Addresses come from the connector. */
function connectorConfig(connector: Connector) {
  const { account, parameters = [], name } = connector;
  const slots = Object.fromEntries(parameters.map((parameter) => [parameter.name, slot(parameter).optional()]));
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
  connector: Connector | undefined;
}

/** The schema of a credential's config. */
export function schemaOf({ type, connectorId, connector }: CredentialKind): z.ZodObject {
  if (type === 'token') return connector?.token ? tokenConfig(connector) : z.strictObject({});
  return type === 'oauth2' && connector ? connectorConfig(connector) : configSchemaOf(type, connectorId);
}

/** Splits a parsed config into public fields and fields to seal. */
export function splitConfig(kind: CredentialKind, config: Record<string, unknown>) {
  const names = new Set(secretNames(schemaOf(kind)));
  const entries = Object.entries(config).filter(([, value]) => value !== undefined);
  return {
    publicFields: Object.fromEntries(entries.filter(([name]) => !names.has(name))),
    secrets: Object.fromEntries(entries.filter(([name]) => names.has(name))),
  };
}

const asJsonSchema = (schema: z.ZodObject) =>
  z.toJSONSchema(schema, { target: 'draft-7', io: 'input' }) as Record<string, unknown>;

/** The form of a connector's static token; null: it takes none. */
export function tokenForm(connector: Connector) {
  const { token } = connector;
  if (!token) return null;
  const schema = tokenConfig(connector);
  return {
    title: token.title,
    setup: token.setup,
    configSchema: asJsonSchema(schema),
    secretFields: secretNames(schema),
  };
}
