import { z } from 'zod';
import { TokenParameters } from '../credentials/credential-marks';
import { JsonObject, Timestamp, page, text, asStored } from '../text';

/** RFC 7636: 43 to 128 of the unreserved characters. */
const Verifier = z.string().regex(/^[A-Za-z0-9\-._~]{43,128}$/, { error: 'must be 43 to 128 of A-Z a-z 0-9 - . _ ~' });
const State = text(16, 200);

export const AuthorizeUrlRequest = z.strictObject({
  connector_type: text(1, 100).optional().meta({ description: 'Required unless `credential_id` is given' }),
  credential_id: text(1, 100).optional().meta({
    description: 'Instead of a connector: an `oauth2` credential with its own authorization and token URL',
  }),
  scopes: z.array(text(1, 300)).max(100).optional().meta({ description: 'Default: the scopes of the connector' }),
  code_verifier: Verifier,
  state: State,
  additional_params: z.record(z.string(), text(1, 300)).default({}).meta({ description: 'e.g. `shop`' }),
  redirect_uri: text(1, 2000).optional().meta({
    description:
      'Default: the redirect URL of the service; or `http://localhost:<port>/oauth/callback` of a desktop client',
  }),
});

export const AuthorizeUrl = z.object({ authorization_url: z.string() }).meta({ id: 'AuthorizeUrl' });

export const ExchangeRequest = z.strictObject({
  connector_type: text(1, 100).optional().meta({ description: 'Required unless `credential_id` has none' }),
  code: text(1, 4000).optional(),
  code_verifier: Verifier.optional(),
  state: State.optional(),
  credential_name: text(1, 200).optional(),
  created_by: text(0, 200).optional().meta({ description: 'A label; the credential belongs to the caller' }),
  credential_id: text(1, 100)
    .optional()
    .meta({ description: 'The existing credential to connect; keeps its id and name' }),
});

/** A credential in the connector endpoints. */
export const ConnectorCredential = z
  .object({
    id: z.string(),
    name: z.string(),
    connector_type: z.string().meta({ description: 'Empty: a credential with its own URLs' }),
    type: z.literal('oauth2'),
    status: z.string(),
    expires_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'ConnectorCredential' });

export const ExchangeAnswer = z.object({ credential: ConnectorCredential }).meta({ id: 'ConnectorExchange' });

export const RefreshCredentialRequest = z.strictObject({ credential_id: text(1, 100) });

export const RefreshCredentialAnswer = z
  .object({ credential: ConnectorCredential.pick({ id: true, status: true, expires_at: true }) })
  .meta({ id: 'ConnectorRefresh' });

export const ConnectorPoll = z
  .object({
    title: z.string(),
    words: z.string().optional().meta({ description: 'Further words by which a search finds it' }),
    parameters: asStored(JsonObject).optional().meta({ description: 'Values of parameters to begin with' }),
    items: z.string(),
    key: z.string(),
    cursor: z.string().optional().meta({ description: 'Expression of the next cursor' }),
  })
  .meta({ id: 'ConnectorPoll', description: 'How a poll finds new items by an operation' });

export const ConnectorOperation = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    limits: z.string().nullable().meta({ description: 'Limits that the provider states' }),
    parameters: asStored(JsonObject).optional().meta({
      description: 'JSON Schema (draft 7) of the parameters. Lists leave it out for connectors of the workspace',
    }),
    example: z.unknown().optional().meta({ description: 'The body of an answer' }),
    poll: ConnectorPoll.nullable().meta({
      description: 'How a poll finds new items by this operation; null: it is no source of polls',
    }),
    group: z.string().nullable().optional().meta({ description: 'The first tag of the operation in its document' }),
    method: z
      .string()
      .optional()
      .meta({ description: 'Of operations from a document, when a single connector is read' }),
    path: z.string().optional().meta({ description: 'Path of the operation, from the base address of the API' }),
    isPublic: z.boolean().optional().meta({ description: 'It needs no credential' }),
    isDeprecated: z.boolean().optional().meta({ description: 'Its document marks it as deprecated' }),
    isRemoved: z.boolean().optional().meta({ description: 'The document no longer has it; a workflow uses it' }),
  })
  .meta({ id: 'ConnectorOperation' });
export type ConnectorOperation = z.infer<typeof ConnectorOperation>;

/** A static token, in place of OAuth. */
export const ConnectorToken = z
  .object({
    title: z.string(),
    setup: z.string().meta({ description: 'Where a user gets it from' }),
    configSchema: asStored(
      JsonObject.meta({
        description: 'JSON Schema (draft 7) of the `config` of a credential of the type `token`',
      }),
    ),
    secretFields: z.array(z.string()).meta({ description: 'Those of its fields that are secret' }),
  })
  .meta({ id: 'ConnectorToken', description: 'Static token of an account' });

export const ConnectorService = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    synonyms: z.array(z.string()).meta({ description: 'Further words by which a search finds it' }),
    icon: z.string().meta({ description: 'Path of an SVG on this service' }),
  })
  .meta({ id: 'ConnectorService', description: 'One service of a provider with several' });
export type ConnectorService = z.infer<typeof ConnectorService>;

/** The document of a connector that a workspace has made. */
export const ConnectorSource = z
  .object({
    url: z.string().nullable().meta({ description: 'Address of the document; null: it was sent' }),
    documentVersion: z.string().meta({ description: '`info.version` of the document' }),
    server: z.string().meta({ description: 'Base address of the API' }),
    version: z.number().int().meta({ description: 'Counts the changes of the connector' }),
    createdBy: z.string().nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'ConnectorSource', description: 'Where a connector of the workspace is from' });

export const Connector = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    synonyms: z.array(z.string()).meta({ description: 'Further words by which a search finds it' }),
    icon: z.string().meta({ description: 'Path of an SVG on this service' }),
    flow: z.enum(['authorization_code', 'client_credentials', 'token']).meta({
      description: 'How accounts are connected. `token`: by a static token only, see `token`',
    }),
    token: ConnectorToken.nullable().meta({ description: 'Static token of an account; null: it takes none' }),
    services: z.array(ConnectorService).meta({
      description: 'Services of the provider: the id of an operation begins with the id of its service',
    }),
    scopes: z.array(z.string()).meta({ description: 'Requested by default' }),
    optionalScopes: z.array(z.string()),
    additionalParams: z.array(
      z.object({ name: z.string(), required: z.boolean(), title: z.string(), description: z.string() }),
    ),
    operations: z.array(ConnectorOperation),
    configured: z.boolean().meta({
      description: 'Whether there is an app registration; true if accounts are connected by a static token only',
    }),
    registration: z.enum(['workspace', 'service']).nullable(),
    needsAddresses: z.boolean().meta({ description: 'Whether a registration needs its own token and API URL' }),
    redirectUri: z.string().meta({ description: 'Redirect URL to register at the provider' }),
    setup: z.string().meta({ description: 'Set-up steps at the provider' }),
    needsCredential: z.boolean().meta({ description: 'Whether calls need a credential' }),
    isCustom: z.boolean().meta({ description: 'Whether the workspace has made it from an OpenAPI document' }),
    source: ConnectorSource.nullable().meta({ description: 'Its document; null: a connector of the service' }),
  })
  .meta({ id: 'Connector' });
export type Connector = z.infer<typeof Connector>;

export const ConnectorPage = page(Connector).meta({ id: 'ConnectorPage' });

const Address = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(2000);

export const RegistrationRequest = z.strictObject({
  clientId: text(1, 1000),
  clientSecret: text(1, 5000),
  tokenUrl: Address.optional(),
  apiUrl: Address.optional(),
  tokenParameters: TokenParameters,
});

/** Without the secret. */
export const Registration = z
  .object({
    connectorId: z.string(),
    clientId: z.string(),
    tokenUrl: z.string().optional(),
    apiUrl: z.string().optional(),
    secretFields: z.array(z.string()),
    redirectUri: z.string(),
    updatedAt: Timestamp,
  })
  .meta({ id: 'ConnectorRegistration' });
export type Registration = z.infer<typeof Registration>;
