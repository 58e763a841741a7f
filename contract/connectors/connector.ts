import { z } from 'zod';
import { CreatedAt, CreatedBy, ObjectId, UpdatedAt } from '../shared-fields';
import { tokenParametersField } from '../credentials/credential-fields';
import { JsonObject, Timestamp, pageSchema, boundedText, asStored } from '../text';

/** RFC 7636: 43 to 128 of the unreserved characters. */
const PkceCodeVerifier = z
  .string()
  .regex(/^[A-Za-z0-9\-._~]{43,128}$/, { error: 'must be 43 to 128 of A-Z a-z 0-9 - . _ ~' });
const OAuthState = boundedText(16, 200);

export const AuthorizeUrlRequest = z.strictObject({
  connector_type: boundedText(1, 100).optional().meta({ description: 'Required unless `credential_id` is given' }),
  credential_id: boundedText(1, 100).optional().meta({
    description: 'Instead of a connector: an `oauth2` credential with its own authorization and token URL',
  }),
  scopes: z
    .array(boundedText(1, 300))
    .max(100)
    .optional()
    .meta({ description: 'Default: the scopes of the connector' }),
  code_verifier: PkceCodeVerifier.describe('The PKCE verifier, which the caller chose (RFC 7636)'),
  state: OAuthState.describe('A random value that the provider returns'),
  additional_params: z.record(z.string(), boundedText(1, 300)).default({}).meta({ description: 'e.g. `shop`' }),
  redirect_uri: boundedText(1, 2000).optional().meta({
    description:
      'Default: the redirect URL of the service; or `http://localhost:<port>/oauth/callback` of a desktop client',
  }),
});

export const AuthorizeUrlResponse = z
  .object({ authorization_url: z.string().describe('The address to open in a popup') })
  .meta({ id: 'AuthorizeUrl', description: 'The address at which the user allows access' });

export const ExchangeCodeRequest = z.strictObject({
  connector_type: boundedText(1, 100).optional().meta({ description: 'Required unless `credential_id` has none' }),
  code: boundedText(1, 4000).optional().describe('What the provider gave the browser'),
  code_verifier: PkceCodeVerifier.optional().describe('The PKCE verifier, which the caller chose (RFC 7636)'),
  state: OAuthState.optional().describe('A random value that the provider returns'),
  credential_name: boundedText(1, 200).optional().describe('The name of the new credential'),
  created_by: boundedText(0, 200).optional().meta({ description: 'A label; the credential belongs to the caller' }),
  credential_id: boundedText(1, 100)
    .optional()
    .meta({ description: 'The existing credential to connect; keeps its id and name' }),
});

/** A credential in the connector endpoints. */
export const ConnectorCredential = z
  .object({
    id: ObjectId,
    name: z.string().describe('What people call it'),
    connector_type: z.string().meta({ description: 'Empty: a credential with its own URLs' }),
    type: z.literal('oauth2').describe('How it proves the identity'),
    status: z.string().describe('Whether it can be used'),
    expires_at: Timestamp.nullable().describe('When it expires; null: never'),
    created_at: Timestamp.describe('When it was created'),
  })
  .meta({ id: 'ConnectorCredential', description: 'A credential that an OAuth connection made' });

export const ExchangeCodeResponse = z
  .object({ credential: ConnectorCredential })
  .meta({ id: 'ConnectorExchange', description: 'The result of an OAuth connection' });

export const RefreshCredentialRequest = z.strictObject({
  credential_id: boundedText(1, 100).describe('The credential to renew'),
});

export const RefreshCredentialResponse = z
  .object({
    credential: ConnectorCredential.pick({ id: true, status: true, expires_at: true }).describe(
      'The one that was renewed',
    ),
  })
  .meta({ id: 'ConnectorRefresh', description: 'A credential whose access token is renewed' });

export const ConnectorPollSource = z
  .object({
    title: z.string().describe('Heading that people see'),
    words: z.string().optional().meta({ description: 'Further words by which a search finds it' }),
    parameters: asStored(JsonObject).optional().meta({ description: 'Values of parameters to begin with' }),
    items: z.string().describe('JSONata that finds the list of items in `input`, the answer'),
    key: z.string().describe('JSONata on `item`: what identifies it'),
    cursor: z.string().optional().meta({ description: 'Expression of the next cursor' }),
  })
  .meta({ id: 'ConnectorPoll', description: 'How a poll finds new items by an operation' });

export const ConnectorOperationInfo = z
  .object({
    id: z.string().describe('What the config of a node names it by'),
    title: z.string().describe('Heading that people see'),
    description: z.string().describe('What it is for; may be empty'),
    limits: z.string().nullable().meta({ description: 'Limits that the provider states' }),
    parameters: asStored(JsonObject).optional().meta({
      description: 'JSON Schema (draft 7) of the parameters. Lists leave it out for connectors of the workspace',
    }),
    example: z.unknown().optional().meta({ description: 'The body of an answer' }),
    poll: ConnectorPollSource.nullable().meta({
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
  .meta({ id: 'ConnectorOperation', description: 'A call of a service that the connector node offers' });
export type ConnectorOperationInfo = z.infer<typeof ConnectorOperationInfo>;

/** Something that happens at a service and starts a workflow. */
export const ConnectorEvent = z
  .object({
    id: z.string().describe('What a subscription names it by, or the operation of a poll'),
    title: z.string().describe('Heading that people see'),
    words: z.string().optional().meta({ description: 'Further words by which a search finds it' }),
    parameters: asStored(JsonObject)
      .optional()
      .meta({ description: 'JSON Schema (draft 7) of its parameters. Lists leave it out' }),
    example: z.unknown().optional().meta({ description: 'The input of a run. Lists leave it out' }),
    mode: z.enum(['subscription', 'poll']).meta({
      description:
        'subscription: the service makes a webhook at the provider. poll: the service asks from time to time',
    }),
  })
  .meta({ id: 'ConnectorEvent', description: 'Something that happens at a service and starts a workflow' });
export type ConnectorEvent = z.infer<typeof ConnectorEvent>;

/** A static token, in place of OAuth. */
export const ConnectorToken = z
  .object({
    title: z.string().describe('Label of the field for the token'),
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
    id: z.string().describe('Word that addresses and credentials use, such as `shopify`'),
    name: z.string().describe('What people call it'),
    description: z.string().describe('What it is for; may be empty'),
    synonyms: z.array(z.string()).meta({ description: 'Further words by which a search finds it' }),
    icon: z.string().meta({ description: 'Path of an SVG on this service' }),
    operationGroups: z.array(z.string()).meta({
      description: 'First parts of the ids of its operations, such as `messages` of `messages.send`',
    }),
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
    createdBy: CreatedBy,
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  })
  .meta({ id: 'ConnectorSource', description: 'Where a connector of the workspace is from' });

const ConnectorLimits = z
  .object({
    perMinute: z.number().int().nullable().meta({ description: 'Calls in a minute; null: the provider states none' }),
    concurrent: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Calls at the same time; null: the provider states none' }),
    source: z.string().meta({ description: 'Address of the page of the provider that says so' }),
  })
  .meta({ id: 'ConnectorLimits', description: 'How often the provider lets one account call; nothing enforces it' });

export const ConnectorResponse = z
  .object({
    id: z.string().describe('Word that addresses and credentials use, such as `shopify`'),
    name: z.string().describe('What a request calls the parameter'),
    description: z.string().describe('What it is for; may be empty'),
    synonyms: z.array(z.string()).meta({ description: 'Further words by which a search finds it' }),
    icon: z.string().meta({ description: 'Path of an SVG on this service' }),
    flow: z.enum(['authorization_code', 'client_credentials', 'token']).meta({
      description: 'How accounts are connected. `token`: by a static token only, see `token`',
    }),
    token: ConnectorToken.nullable().meta({ description: 'Static token of an account; null: it takes none' }),
    services: z.array(ConnectorService).meta({
      description: 'Services of the provider; `operationGroups` tells which operations belong to one',
    }),
    scopes: z.array(z.string()).meta({ description: 'Requested by default' }),
    optionalScopes: z.array(z.string()).describe('Scopes that may be asked for in addition'),
    additionalParams: z
      .array(
        z.object({
          name: z.string().describe('What people call it'),
          required: z.boolean().describe('Whether it must have a value'),
          title: z.string().describe('Heading that people see'),
          description: z.string().describe('What it is for; may be empty'),
        }),
      )
      .describe('Further parameters that the address of consent needs'),
    operations: z.array(ConnectorOperationInfo).describe('The calls that the connector node offers'),
    limits: ConnectorLimits.nullable().meta({ description: 'Documented limits of the provider; null: not known' }),
    events: z.array(ConnectorEvent).describe('What can start a workflow'),
    configured: z.boolean().meta({
      description: 'Whether there is an app registration; true if accounts are connected by a static token only',
    }),
    registration: z.enum(['workspace', 'service']).nullable().describe('The app registration; null: none'),
    needsAddresses: z.boolean().meta({ description: 'Whether a registration needs its own token and API URL' }),
    redirectUri: z.string().meta({ description: 'Redirect URL to register at the provider' }),
    setup: z.string().meta({ description: 'Set-up steps at the provider' }),
    needsCredential: z.boolean().meta({ description: 'Whether calls need a credential' }),
    isCustom: z.boolean().meta({ description: 'Whether the workspace has made it from an OpenAPI document' }),
    source: ConnectorSource.nullable().meta({ description: 'Its document; null: a connector of the service' }),
  })
  .meta({ id: 'Connector', description: 'A third-party service that can be connected by OAuth' });
export type ConnectorResponse = z.infer<typeof ConnectorResponse>;

export const ListConnectorsResponse = pageSchema(ConnectorResponse).meta({ id: 'ConnectorPage' });

const HttpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(2000);

export const RegisterConnectorRequest = z.strictObject({
  clientId: boundedText(1, 1000).describe('The client id of the app at the provider'),
  clientSecret: boundedText(1, 5000).describe('The client secret of the app; write-only'),
  tokenUrl: HttpUrl.optional().describe('The address of the token endpoint'),
  apiUrl: HttpUrl.optional().describe('The address of the service’s API'),
  tokenParameters: tokenParametersField,
});

/** Without the secret. */
export const RegistrationResponse = z
  .object({
    connectorId: z.string().describe('The connector; null: none'),
    clientId: z.string().describe('The client id of the app at the provider'),
    tokenUrl: z.string().optional().describe('The address of the token endpoint'),
    apiUrl: z.string().optional().describe('The address of the service’s API'),
    secretFields: z.array(z.string()).describe('The fields that hold secrets, which are never returned'),
    redirectUri: z.string().describe('The redirect address to register at the provider'),
    updatedAt: UpdatedAt,
  })
  .meta({ id: 'ConnectorRegistration', description: 'The app that is registered at the service, without its secret' });
export type RegistrationResponse = z.infer<typeof RegistrationResponse>;
