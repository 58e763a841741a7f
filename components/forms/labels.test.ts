import { expect, it } from 'vitest';
import { CREDENTIAL_TYPE_OPTIONS, credentialConfigFields } from '@/components/credentials/kinds';
import { builtInConnectors } from '@/server/connectors';
import { describeOperations } from '@/server/connectors/catalogue';
import { listPublicNodeTypes } from '@/server/workflow/nodes';
import { enumOptionLabel, schemaLabel, type FieldSchema } from './model/field-schema';

/** Names that are written with capitals or digits inside, or begin small. */
const BRANDS =
  /\b(MarkdownV2|TwiML|GitHub|GitLab|OAuth|IDs?|URLs?|iCal\w*|JSONata|JavaScript|HubSpot|ClickUp|QuickBooks|WordPress|WooCommerce|SharePoint|OneDrive|PagerDuty|SendGrid|DocuSign|ServiceNow|PostgreSQL|MySQL|OpenAI|DeepSeek|YouTube|LinkedIn|WhatsApp|PayPal|AWS|S3|reCAPTCHA|MongoDB|eBay|dB|GraphQL|OpenRouter|xAI|vLLM|LM|MiB|KiB|HMAC|SHA\d*|MD5|UTF-\d+|base64\w*|CSV|XML|HTML|PDF)\b/g;

/** Why a text reads like a name of a program; undefined: it reads like a label. */
function identifierMark(text: string): string | undefined {
  const rest = text.replace(BRANDS, 'X');
  if (text.trim() === '') return 'empty';
  if (/[a-z]_[a-z]/i.test(rest)) return 'underscore';
  if (/[a-z][A-Z]/.test(rest)) return 'camel case';
  if (/^[a-z]+(\.[a-z]+)+$/.test(rest)) return 'dotted';
  if (/^[a-z][a-z0-9-]*$/.test(text) && text !== 'none') return 'lower-case word';
  return undefined;
}

function collectLabels(schema: FieldSchema, path: string): { path: string; label: string }[] {
  const own = (schema.enum ?? []).map((option) => ({
    path: `${path}=${String(option)}`,
    label: enumOptionLabel(option, schema),
  }));
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    { path: `${path}.${name}`, label: schemaLabel(name, field) },
    ...collectLabels(field, `${path}.${name}`),
  ]);
  return [...own, ...inner, ...(schema.items ? collectLabels(schema.items, `${path}[]`) : [])];
}

it.each([
  ['nodes', () => listPublicNodeTypes().map((kind) => [kind.type, kind.configSchema as FieldSchema] as const)],
  [
    'connectors',
    () =>
      builtInConnectors.flatMap((connector) =>
        describeOperations(connector).map(
          (one) => [`${connector.id}/${one.id}`, one.parameters as FieldSchema] as const,
        ),
      ),
  ],
  [
    'credentials',
    () =>
      CREDENTIAL_TYPE_OPTIONS.map(
        ({ type, connectorId }) => [type, credentialConfigFields(type, connectorId).schema] as const,
      ),
  ],
] as const)('labels and options of %s are words', (_, forms) => {
  const marked = forms().flatMap(([name, schema]) =>
    collectLabels(schema, name).flatMap(({ path, label }) => {
      const mark = identifierMark(label);
      return mark === undefined ? [] : [`${path}: “${label}” (${mark})`];
    }),
  );
  expect(marked).toEqual([]);
});
