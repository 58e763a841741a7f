import { fieldOf } from './document';
import { titleOf, parameterName, type Names } from './names';
import type { BodyPart } from './parts';
import type { ApiBody, ApiParameter, ValueSchema } from './record';
import { Unusable, type References } from './references';
import { alternativesOf, isFileSchema, mergedSchema, requiredIn, valueSchema, writableProperties } from './schemas';

/** Fields of a body that become parameters of their own; a body with more is one parameter. */
const MAX_FIELDS = 60;

const KINDS: [RegExp, ApiBody['as']][] = [
  [/^[^;]*[/+]json\b/, 'json'],
  [/^application\/x-www-form-urlencoded/, 'form'],
  [/^multipart\/form-data/, 'multipart'],
  [/^\*\/\*/, 'json'],
  [/^text\/|[/+]xml\b/, 'text'],
  [/^(application\/(octet-stream|pdf|zip)|image|audio|video)/, 'file'],
];

/** A field with its name as the title, unless the document has one. */
export const titled = (schema: ValueSchema, theirs: string): ValueSchema => ({
  ...schema,
  title: schema.title ?? titleOf(theirs),
});

/** The body of an operation and its parameters. Throws Unusable for a media type that is not known. */
export function readBody(
  { content, isRequired }: BodyPart,
  references: References,
  names: Names,
  at: string,
): { body: ApiBody; parameters: ApiParameter[] } | undefined {
  const [first] = content;
  if (!first) return undefined;
  const found = KINDS.flatMap(([pattern, as]) => {
    const one = content.find(([type]) => pattern.test(type));
    return one ? [{ as, type: one[0], media: one[1] }] : [];
  })[0];
  if (!found) {
    if (!isRequired) return undefined;
    throw new Unusable(`${at}.requestBody`, `the media type ${first[0].slice(0, 100)} is not supported`);
  }
  const { as, type, media } = found;
  const isUsual = as !== 'text' && as !== 'file' && (as !== 'json' || /^(application\/json|\*\/\*)/.test(type));
  const body: ApiBody = { as, ...(isUsual ? {} : { type }) };
  const schema = fieldOf(media, 'schema') ?? {};
  const fields = as === 'text' || as === 'file' ? undefined : fieldParameters(schema, references, names, isRequired);
  if (fields) return { body, parameters: fields };
  if (as === 'form' || as === 'multipart') return { body, parameters: [] };
  const name = names.take('body');
  return {
    body: { ...body, whole: name },
    parameters: [{ ...wholeParameter(as, schema, references), name, isRequired }],
  };
}

function wholeParameter(
  as: ApiBody['as'],
  schema: unknown,
  references: References,
): Omit<ApiParameter, 'name' | 'isRequired'> {
  const value: ValueSchema =
    as === 'file' ? { type: 'file' } : as === 'text' ? { type: 'string' } : valueSchema(schema, references);
  return { theirs: '', in: 'body', schema: { ...value, title: value.title ?? (as === 'file' ? 'File' : 'Body') } };
}

/** One parameter for each field of an object; undefined: the body is no plain object. */
function fieldParameters(
  schema: unknown,
  references: References,
  names: Names,
  isBodyRequired: boolean,
): ApiParameter[] | undefined {
  const merged = mergedSchema(schema, references);
  if (isFileSchema(merged) || alternativesOf(merged, references).length > 0) return undefined;
  const entries = writableProperties(merged, references);
  if (entries.length === 0 || entries.length > MAX_FIELDS) return undefined;
  const required = requiredIn(merged);
  return entries.map(([theirs, property]) => ({
    name: names.take(parameterName(theirs), 'body'),
    theirs,
    in: 'body',
    isRequired: isBodyRequired && required.has(theirs),
    schema: titled(valueSchema(property, references), theirs),
  }));
}
