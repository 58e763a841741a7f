import type { DeclaredChoices } from './choices';
import { objectOrEmpty, readOwnField } from './document';
import { humanizeName, toParameterName, type UniqueNames } from './names';
import type { RequestBodyPart } from './parts';
import type { OperationBody, ApiParameter, ValueSchema } from './record';
import { UnusableOperationError, type ReferenceResolver } from './references';
import {
  schemaAlternatives,
  isFileSchema,
  mergeCombinedSchemas,
  requiredProperties,
  toValueSchema,
  writableProperties,
} from './schemas';

/** The fields of a body become parameters of their own; a body with more fields than this is one parameter. */
const MAX_BODY_PARAMETERS = 60;

const MEDIA_TYPE_PATTERNS: [RegExp, OperationBody['as']][] = [
  [/^[^;]*[/+]json\b/, 'json'],
  [/^application\/x-www-form-urlencoded/, 'form'],
  [/^multipart\/form-data/, 'multipart'],
  [/^\*\/\*/, 'json'],
  [/^text\/|[/+]xml\b/, 'text'],
  [/^(application\/(octet-stream|pdf|zip)|image|audio|video)/, 'file'],
];

/** Gives a field without a title its name as the title. */
export const withDefaultTitle = (schema: ValueSchema, theirs: string): ValueSchema => ({
  ...schema,
  title: schema.title ?? humanizeName(theirs),
});

/** The body of an operation and its parameters. Throws UnusableOperationError for a media type that is not known. */
export function readBodyDefinition(
  { content, isRequired }: RequestBodyPart,
  references: ReferenceResolver,
  names: UniqueNames,
  at: string,
  declared: DeclaredChoices,
): { body: OperationBody; parameters: ApiParameter[] } | undefined {
  const [first] = content;
  if (!first) return undefined;
  const found = MEDIA_TYPE_PATTERNS.flatMap(([pattern, as]) => {
    const one = content.find(([type]) => pattern.test(type));
    return one ? [{ as, type: one[0], media: one[1] }] : [];
  })[0];
  if (!found) {
    if (!isRequired) return undefined;
    throw new UnusableOperationError(`${at}.requestBody`, `the media type ${first[0].slice(0, 100)} is not supported`);
  }
  const { as, type, media } = found;
  const isUsual = as !== 'text' && as !== 'file' && (as !== 'json' || /^(application\/json|\*\/\*)/.test(type));
  const body: OperationBody = { as, ...(isUsual ? {} : { type }) };
  const schema = readOwnField(media, 'schema') ?? {};
  const fields =
    as === 'text' || as === 'file' ? undefined : bodyFieldParameters(schema, references, names, isRequired, declared);
  if (fields) return { body, parameters: fields };
  if (as === 'form' || as === 'multipart') return { body, parameters: [] };
  const name = names.reserve('body');
  return {
    body: { ...body, whole: name },
    parameters: [{ ...wholeBodyParameter(as, schema, references), name, isRequired }],
  };
}

function wholeBodyParameter(
  as: OperationBody['as'],
  schema: unknown,
  references: ReferenceResolver,
): Omit<ApiParameter, 'name' | 'isRequired'> {
  const value: ValueSchema =
    as === 'file' ? { type: 'file' } : as === 'text' ? { type: 'string' } : toValueSchema(schema, references);
  return { theirs: '', in: 'body', schema: { ...value, title: value.title ?? (as === 'file' ? 'File' : 'Body') } };
}

/** One parameter for each field of an object; undefined: the body is no plain object. */
function bodyFieldParameters(
  schema: unknown,
  references: ReferenceResolver,
  names: UniqueNames,
  isBodyRequired: boolean,
  declared: DeclaredChoices,
): ApiParameter[] | undefined {
  const merged = mergeCombinedSchemas(schema, references);
  if (isFileSchema(merged) || schemaAlternatives(merged, references).length > 0) return undefined;
  const entries = writableProperties(merged, references);
  if (entries.length === 0 || entries.length > MAX_BODY_PARAMETERS) return undefined;
  const required = requiredProperties(merged);
  return entries.map(([theirs, property]) => {
    const parameter: ApiParameter = {
      name: names.reserve(toParameterName(theirs), 'body'),
      theirs,
      in: 'body',
      isRequired: isBodyRequired && required.has(theirs),
      schema: withDefaultTitle(toValueSchema(property, references), theirs),
    };
    declared.set(parameter, objectOrEmpty(readOwnField(references.resolveOrEmpty(property), 'x-choices')));
    return parameter;
  });
}
