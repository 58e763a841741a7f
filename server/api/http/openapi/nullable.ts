/** A schema of OpenAPI 3.0, as plain JSON. */
export type OpenApiSchema = Record<string, unknown>;

/** What the conversion writes for a null in a union: generators of clients make invalid code of it. */
const isNullOnlySchema = (schema: unknown): boolean =>
  JSON.stringify((schema as { enum?: unknown } | null)?.enum) === '[null]' &&
  (schema as OpenApiSchema)['nullable'] === true;

const COMPONENT_REFERENCE = '#/components/schemas/';

/**
 * The document with null as a property of types, not as a type: OpenAPI 3.0 has no type of null, and a reference can't
 * be nullable. A reference or null becomes a reference to `Nullable<id>`, which is the same schema with `nullable`.
 */
export function withNullableSchemas<Document extends { components: Record<string, OpenApiSchema> }>(
  document: Document,
): Document {
  const { components } = document;
  const added: Record<string, OpenApiSchema> = {};

  /** The same schema, which permits null, too. */
  function nullable(schema: OpenApiSchema): OpenApiSchema {
    const { $ref, enum: values } = schema as { $ref?: string; enum?: unknown[] };
    if (!$ref) return { ...schema, nullable: true, ...(values ? { enum: [...values, null] } : {}) };
    const id = $ref.slice(COMPONENT_REFERENCE.length);
    const target = components[id];
    if (!target || !('type' in target)) throw new Error(`${id} has no type that could be nullable`);
    if (!(`Nullable${id}` in added)) {
      const { description, ...rest } = nullable(replaced(target) as OpenApiSchema);
      added[`Nullable${id}`] = {
        ...rest,
        ...(description === undefined ? {} : { description: `${description}. Or null` }),
      };
    }
    return { $ref: `${COMPONENT_REFERENCE}Nullable${id}` };
  }

  function replaced(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(replaced);
    if (typeof value !== 'object' || value === null) return value;
    const { anyOf, ...rest } = value as OpenApiSchema;
    const fields = Object.fromEntries(Object.entries(rest).map(([name, field]) => [name, replaced(field)]));
    if (!Array.isArray(anyOf)) return fields;
    const [first, ...others] = anyOf
      .filter((branch) => !isNullOnlySchema(branch))
      .map((branch) => replaced(branch) as OpenApiSchema);
    if (!first || others.length + 1 === anyOf.length) return { anyOf: anyOf.map(replaced), ...fields };
    const branches = [nullable(first), ...others];
    // A reference must stand alone.
    if (branches.length > 1) return { anyOf: branches, ...fields };
    return Object.keys(fields).length > 0 ? { allOf: branches, ...fields } : branches[0];
  }

  const done = replaced(document) as Document;
  return removeUnusedSchemas({ ...done, components: { ...done.components, ...added } }, Object.keys(added));
}

/** Removes the schemas that only their nullable variants still stand for. */
function removeUnusedSchemas<Document extends { components: Record<string, OpenApiSchema> }>(
  document: Document,
  added: string[],
) {
  const text = JSON.stringify(document);
  const unused = new Set(
    added
      .map((id) => id.slice('Nullable'.length))
      .filter((id) => !text.includes(`"$ref":"${COMPONENT_REFERENCE}${id}"`)),
  );
  const kept = Object.entries(document.components).filter(([id]) => !unused.has(id));
  return { ...document, components: Object.fromEntries(kept) };
}
