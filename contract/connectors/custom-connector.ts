import { z } from 'zod';
import { ObjectId } from '../shared-fields';
import { ConnectorResponse, ConnectorOperationInfo } from './connector';
import { boundedText } from '../text';

const ServerOverride = boundedText(1, 2000).meta({
  description:
    'Base address of the API in place of the one in the document, which may lack it. Default: its first server',
});

const ChosenOperationIds = z
  .array(boundedText(1, 100))
  .min(1)
  .max(1000)
  .meta({ description: 'Ids of the operations to take over; absent: all of the document' });

/** The document, or its address. Bounded by the limit of the body. */
const OpenApiDocumentField = z.string().min(1).meta({
  description:
    'An OpenAPI 3.0, OpenAPI 3.1 or Swagger 2.0 document as JSON or YAML (at most 5 MiB), or its http or https URL',
});

export const PreviewConnectorRequest = z.strictObject({
  openapi: OpenApiDocumentField,
  server: ServerOverride.optional(),
});

export const CreateConnectorRequest = z.strictObject({
  openapi: OpenApiDocumentField,
  operations: ChosenOperationIds.optional(),
  server: ServerOverride.optional(),
  name: boundedText(1, 200).optional().meta({ description: 'Default: the title of the document' }),
});

export const UpdateConnectorRequest = z.strictObject({
  openapi: OpenApiDocumentField.optional().meta({
    description:
      'The new document or its URL. Absent: the URL that is stored is read again if `operations` or `server` is given or `refresh` is true',
  }),
  refresh: z.boolean().optional().meta({ description: 'Reads the stored URL again' }),
  operations: ChosenOperationIds.nullable().optional().meta({
    description: 'Ids of the operations from now on; null: all of the document; absent: the choice that is stored',
  }),
  server: ServerOverride.optional(),
  name: boundedText(1, 200).optional().describe('What people call it'),
  version: z.number().int().optional().describe('The version, from 1'),
});

export const CompareConnectorRequest = UpdateConnectorRequest.omit({ name: true, version: true });

/** An operation of a document. */
export const OfferedOperation = z
  .object({
    id: z.string().describe('What the config of a node names it by'),
    title: z.string().describe('Heading that people see'),
    description: z.string().describe('What it is for; may be empty'),
    group: z.string().nullable().meta({ description: 'The first tag of the operation' }),
    method: z.string().describe('The HTTP method'),
    path: z.string().describe('The path in its address'),
    isDeprecated: z.boolean().meta({ description: 'The document marks it as deprecated' }),
  })
  .meta({ id: 'OfferedOperation', description: 'An operation of a document' });
export type OfferedOperation = z.infer<typeof OfferedOperation>;

const AuthenticationSummary = z.object({
  isRequired: z.boolean().meta({ description: 'Whether operations need a credential' }),
  token: z.string().nullable().meta({ description: 'What a user enters, in words; null: nothing' }),
  oauth: z
    .enum(['authorization_code', 'client_credentials'])
    .nullable()
    .meta({ description: 'The OAuth 2.0 flow; null: none' }),
});

export const ConnectorPreview = z
  .object({
    title: z.string().describe('Heading that people see'),
    description: z.string().describe('What it is for; may be empty'),
    documentVersion: z.string().meta({ description: '`info.version` of the document' }),
    server: z.string().meta({ description: 'Base address of the API' }),
    servers: z.array(z.string()).meta({ description: 'Addresses that the document offers, the chosen one first' }),
    authentication: AuthenticationSummary.meta({ description: 'How accounts are connected' }),
    needsAppRegistration: z.boolean().meta({
      description:
        'Every way to call its operations is OAuth in the name of a person: an app has to be registered at the service first',
    }),
    notes: z.array(z.string()).meta({ description: 'Security schemes that cannot be used' }),
    operations: z.array(OfferedOperation).describe('The calls that the connector node offers'),
    skipped: z
      .array(
        z.object({
          method: z.string().describe('The HTTP method'),
          path: z.string().describe('The path in its address'),
          reason: z.string().describe('The reason; null: none'),
        }),
      )
      .meta({ description: 'Operations that cannot be used, and why' }),
  })
  .meta({ id: 'ConnectorPreview', description: 'What a connector from a document would have' });
export type ConnectorPreview = z.infer<typeof ConnectorPreview>;

const workflowUseFields = {
  usedBy: z
    .array(z.object({ id: ObjectId, name: z.string().describe('What a request calls the parameter') }))
    .meta({ description: 'Workflows that use it and that the caller may read' }),
  otherUses: z.number().int().meta({ description: 'Number of other workflows that use it' }),
};

const ChangedOperation = OfferedOperation.omit({ isDeprecated: true })
  .extend(workflowUseFields)
  .meta({ id: 'ChangedOperation', description: 'An operation that an update adds, changes or removes' });
export type ChangedOperation = z.infer<typeof ChangedOperation>;

export const ConnectorComparison = z
  .object({
    preview: ConnectorPreview,
    added: z.array(ChangedOperation).meta({ description: 'Operations that the connector does not have yet' }),
    changed: z.array(ChangedOperation).meta({ description: 'Other parameters, address, body or answer than before' }),
    removed: z.array(ChangedOperation).meta({ description: 'Those that a workflow uses are kept and marked' }),
    serverBefore: z.string().meta({ description: 'Base address of the API until now' }),
    losesSecrets: z.boolean().meta({
      description: 'Its credentials lose their secrets, because servers or authentication change',
    }),
  })
  .meta({ id: 'ConnectorComparison', description: 'What an update of a connector would change' });
export type ConnectorComparison = z.infer<typeof ConnectorComparison>;

/** A connector with all of its operations. */
export const ConnectorDetails = ConnectorResponse.extend({
  operations: z.array(ConnectorOperationInfo).describe('The calls that the connector node offers'),
  selection: z.array(z.string()).nullable().meta({ description: 'The chosen operations; null: all of the document' }),
  ...workflowUseFields,
}).meta({ id: 'ConnectorDetails', description: 'A connector with its operations and where it is used' });
export type ConnectorDetails = z.infer<typeof ConnectorDetails>;
