export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const MAX_SAMPLE_DEPTH = 6;

/**
 * A value that shows the fields of a JSON Schema: from its examples and defaults, and one item in each list. Undefined:
 * it names none.
 */
export function schemaSample(schema: unknown, depth = 0): unknown {
  if (!isRecord(schema) || depth > MAX_SAMPLE_DEPTH) return undefined;
  const { examples, properties, items, type } = schema;
  const [example] = Array.isArray(examples) ? (examples as unknown[]) : [];
  const given = example ?? schema.default ?? schema.const ?? (Array.isArray(schema.enum) ? schema.enum[0] : undefined);
  if (given !== undefined) return given;
  if (isRecord(properties))
    return Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, schemaSample(field, depth + 1) ?? null]),
    );
  if (type === 'array' || isRecord(items)) {
    const item = schemaSample(items, depth + 1);
    return item === undefined ? [] : [item];
  }
  return SAMPLES_BY_TYPE[String(Array.isArray(type) ? type[0] : type)];
}

const SAMPLES_BY_TYPE: Record<string, unknown> = { string: '', number: 0, integer: 0, boolean: false };
