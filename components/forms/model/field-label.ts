import { labelOf, type Schema } from './schema';

/** The labels along the path of a field: `cases[0].port` → `Cases 1 › Port`. Parts that the schema lacks keep their names. */
export function fieldLabel(schema: Schema, path: string): string {
  let at: Schema | undefined = schema;
  const labels = path.split('.').map((part) => {
    const [name = part, ...indexes] = part.split(/[[\]]+/).filter(Boolean);
    const field: Schema | undefined = at?.properties?.[name];
    at = indexes.length ? field?.items : field;
    const label = field ? labelOf(name, field) : name;
    return [label, ...indexes.map((index) => Number(index) + 1)].join(' ');
  });
  return labels.join(' › ');
}
