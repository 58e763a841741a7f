import { expect, it } from 'vitest';
import { CREDENTIAL_TYPE_OPTIONS, credentialConfigFields } from '@/components/credentials/kinds';
import { builtInConnectors } from '@/server/connectors';
import { describeEvents, describeOperations } from '@/server/connectors/catalogue';
import { listPublicNodeTypes } from '@/server/workflow/nodes';
import { identifierMark } from './testing/identifier-mark';
import { enumOptionLabel, schemaLabel, type FieldSchema } from './model/field-schema';

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
    'events',
    () =>
      builtInConnectors.flatMap((connector) =>
        describeEvents(connector).map((one) => [`${connector.id}/${one.id}`, one.parameters as FieldSchema] as const),
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
