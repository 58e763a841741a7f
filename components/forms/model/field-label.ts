import { schemaLabel, type FieldSchema } from './field-schema';

/**
 * The labels along the path of a field: `cases[0].port` → `Cases 1 › Port`. Parts that the schema lacks keep their
 * names.
 */
export function fieldPathLabel(schema: FieldSchema, path: string): string {
  let at: FieldSchema | undefined = schema;
  const labels = path.split('.').map((part) => {
    const [name = part, ...indexes] = part.split(/[[\]]+/).filter(Boolean);
    const field: FieldSchema | undefined = at?.properties?.[name];
    at = indexes.length ? field?.items : field;
    const label = field ? schemaLabel(name, field) : name;
    return [label, ...indexes.map((index) => Number(index) + 1)].join(' ');
  });
  return labels.join(' › ');
}
