import type { FileValue } from '@/contract/file-value';
import type { ConnectorDefinition } from '../connector';

/** A file of the sample values. */
export const SAMPLE_FILE: FileValue = {
  $file: 'file_1',
  name: 'a b.txt',
  contentType: 'text/plain',
  size: 5,
  sha256: 'x',
};

/** Tokens that the patterns of their fields take, by `connector.field`. Fields without an entry take any word. */
const TOKENS: Record<string, string> = {
  'slack.token': 'xoxb-12345678-canary',
  'telegram.token': '123456:AAAAAAAAAAAAAAAAAAAA-canary',
  'notion.token': 'ntn_0123456789012345678canary',
  'discord.token': `canary.${'0123456789'.repeat(5)}`,
  'whatsapp.token': 'canary0123456789012345',
  'jira.email': 'ada@example.com',
  'zendesk.email': 'ada@example.com',
  'zendesk.token': 'canary0123456789012345',
  'linear.token': 'lin_api_01234567890123456canary',
  'sendgrid.token': 'SG.0123456789.canary0123456789012345',
  'twilio.account': 'AC0123456789abcdef0123456789abcdef',
  'twilio.token': 'canary0123456789012345',
  'stripe.token': 'sk_test_012345canary',
  'pipedrive.token': 'canary0123456789012345',
  'mailchimp.token': 'canary0123456789012345-us6',
  'clickup.token': 'pk_012345canary',
  'wordpress.username': 'ada',
  'wordpress.token': 'canary 0123 4567',
  'woocommerce.key': 'ck_012345canary',
  'woocommerce.token': 'cs_012345canary',
};

const ANY_TOKEN = 'canary-01234567890123456789';

/** The fields of a static token of a connector. */
export const sampleToken = ({ id, token }: ConnectorDefinition): Record<string, string> =>
  Object.fromEntries((token?.fields ?? []).map(({ name }) => [name, TOKENS[`${id}.${name}`] ?? ANY_TOKEN]));

/** Values of parameters that not every text is valid for. */
const DRIVE_ID = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms';
const TEXTS: Record<string, string> = {
  'hubspot.since': '2026-01-31T08:15:30.000Z',
  'google.spreadsheet': DRIVE_ID,
  'google.folder': DRIVE_ID,
  'google.document': DRIVE_ID,
  'google.file': DRIVE_ID,
  'google.key': 'field',
  'microsoft_graph.to': 'Ada <ada@example.com>, bob@example.com',
  'microsoft_graph.cc': 'eve@example.com',
  'microsoft_graph.bcc': 'eve@example.com',
  'microsoft_graph.replyTo': 'ada@example.com',
  'microsoft_graph.key': 'field',
  'microsoft_graph.column': 'field',
  'microsoft_graph.value': '1',
  'microsoft_graph.range': 'A1:B2',
};

interface Schema {
  type?: string;
  description?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maxLength?: number;
}

/** A value that a JSON Schema of parameters takes. */
function sample(id: string, name: string, schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return sample(id, name, schema.anyOf[0] ?? {});
  switch (schema.type) {
    case 'string':
      return TEXTS[`${id}.${name}`] ?? `${name} 1/ü`.slice(0, schema.maxLength);
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return true;
    case 'array':
      return schema.items && Object.keys(schema.items).length > 0 ? [sample(id, name, schema.items)] : [SAMPLE_FILE];
    case 'object':
      return schema.properties ? sampleParameters(id, schema) : { field: 1 };
    default:
      return schema.description?.startsWith('The value of a file') ? SAMPLE_FILE : { field: 1 };
  }
}

/** A value for every parameter of an operation, as its JSON Schema describes them. */
export const sampleParameters = (connector: string, { properties = {} }: Schema): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, sample(connector, name, schema)]));
