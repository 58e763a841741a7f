import {
  objectOrEmpty,
  readOwnField,
  listOrEmpty,
  textField,
  type OpenApiDocument,
  type OpenApiObject,
} from './document';
import { UnusableOperationError, type ReferenceResolver } from './references';

/*
 * The parts of an operation in the form of OpenAPI 3, from a document of any version.
 */

/** A parameter in the path, the query, a header or a cookie. */
export interface ParameterPart {
  name: string;
  in: string;
  isRequired: boolean;
  /** The parameter as written. In Swagger 2.0 this is its schema as well. */
  source: OpenApiObject;
  schema: unknown;
  /** Its value is JSON. */
  isJson: boolean;
}

export interface RequestBodyPart {
  isRequired: boolean;
  /** Pairs of a media type and its description. */
  content: [type: string, media: OpenApiObject][];
}

export interface OperationParts {
  parameters: ParameterPart[];
  body: RequestBodyPart | undefined;
  /** The response of success. */
  response: { headers: OpenApiObject; content: [type: string, media: OpenApiObject][] };
}

const MAX_OPERATION_PARAMETERS = 200;
const MAX_MEDIA_TYPES = 20;

const readMediaTypes = (content: unknown): [string, OpenApiObject][] =>
  Object.entries(objectOrEmpty(content))
    .slice(0, MAX_MEDIA_TYPES)
    .map(([type, media]) => [type.toLowerCase(), objectOrEmpty(media)]);

/** The parameters of a path and of its operation, which override those of the path. */
function mergeParameters(
  path: OpenApiObject,
  operation: OpenApiObject,
  references: ReferenceResolver,
  at: string,
): OpenApiObject[] {
  const found = new Map<string, OpenApiObject>();
  for (const [list, where] of [
    [readOwnField(path, 'parameters'), ''],
    [readOwnField(operation, 'parameters'), at],
  ] as const) {
    for (const [index, one] of listOrEmpty(list).entries()) {
      const place = `${where === '' ? at.replace(/\.\w+$/, '') : where}.parameters[${index}]`;
      const parameter = references.resolve(one, place);
      const [name, kind] = [textField(parameter, 'name'), textField(parameter, 'in')];
      if (name === undefined || kind === undefined) throw new UnusableOperationError(place, 'has no `name` or `in`');
      found.set(`${kind} ${name}`, parameter);
    }
  }
  if (found.size > MAX_OPERATION_PARAMETERS)
    throw new UnusableOperationError(at, `has more than ${MAX_OPERATION_PARAMETERS} parameters`);
  return [...found.values()];
}

function toParameterPart(bag: OpenApiObject, isSwagger: boolean): ParameterPart {
  const [media] = readMediaTypes(readOwnField(bag, 'content'));
  const place = textField(bag, 'in') ?? '';
  return {
    name: textField(bag, 'name') ?? '',
    in: place,
    isRequired: place === 'path' || readOwnField(bag, 'required') === true,
    source: bag,
    schema: isSwagger ? bag : (readOwnField(bag, 'schema') ?? readOwnField(media?.[1], 'schema') ?? {}),
    isJson: media !== undefined && /json/.test(media[0]),
  };
}

/** The response of success: 200 or 201, else another 2xx, else the default. */
function successResponse(operation: OpenApiObject, references: ReferenceResolver): OpenApiObject {
  const responses = Object.entries(objectOrEmpty(readOwnField(operation, 'responses')));
  const isNamed = (pattern: RegExp) => responses.find(([status]) => pattern.test(status));
  const [, found] = isNamed(/^20[01]$/) ?? isNamed(/^2..$/i) ?? isNamed(/^default$/) ?? [];
  return found === undefined ? {} : references.resolveOrEmpty(found);
}

/** Media types of Swagger 2.0: of the operation, else of the document. */
const swaggerMediaTypes = (operation: OpenApiObject, root: OpenApiObject, field: string): string[] =>
  listOrEmpty(readOwnField(operation, field) ?? readOwnField(root, field))
    .slice(0, MAX_MEDIA_TYPES)
    .filter((type): type is string => typeof type === 'string');

/** Bodies of Swagger 2.0: one parameter that is the body, or the fields of a form. */
function swaggerRequestBody(parameters: OpenApiObject[], types: string[]): RequestBodyPart | undefined {
  const whole = parameters.find((one) => textField(one, 'in') === 'body');
  if (whole) {
    const media = { schema: readOwnField(whole, 'schema') ?? {} };
    const all = types.length > 0 ? types : ['application/json'];
    return {
      isRequired: readOwnField(whole, 'required') === true,
      content: all.map((type) => [type.toLowerCase(), media]),
    };
  }
  const fields = parameters.filter((one) => textField(one, 'in') === 'formData');
  if (fields.length === 0) return undefined;
  const properties = Object.fromEntries(fields.map((field) => [textField(field, 'name') ?? '', field]));
  const required = fields
    .filter((field) => readOwnField(field, 'required') === true)
    .map((field) => textField(field, 'name'));
  const hasFiles = fields.some((field) => readOwnField(field, 'type') === 'file');
  const type =
    hasFiles || types.includes('multipart/form-data') ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  return { isRequired: required.length > 0, content: [[type, { schema: { type: 'object', properties, required } }]] };
}

function swaggerResponseContent(answer: OpenApiObject, types: string[]): [string, OpenApiObject][] {
  const schema = readOwnField(answer, 'schema');
  if (schema === undefined) return [];
  const examples = objectOrEmpty(readOwnField(answer, 'examples'));
  return (types.length > 0 ? types : ['application/json']).map((type) => [
    type.toLowerCase(),
    { schema, ...(Object.hasOwn(examples, type) ? { example: examples[type] } : {}) },
  ]);
}

/** Reads the parts of an operation. `at` is its place in the document. Throws UnusableOperationError. */
export function readOperationParts(
  { root, isSwagger }: OpenApiDocument,
  [path, operation]: [path: OpenApiObject, operation: OpenApiObject],
  references: ReferenceResolver,
  at: string,
): OperationParts {
  const all = mergeParameters(path, operation, references, at);
  const answer = successResponse(operation, references);
  const headers = objectOrEmpty(readOwnField(answer, 'headers'));
  const isBody = (one: OpenApiObject) => isSwagger && ['body', 'formData'].includes(textField(one, 'in') ?? '');
  const parameters = all.filter((one) => !isBody(one)).map((one) => toParameterPart(one, isSwagger));
  if (isSwagger) {
    return {
      parameters,
      body: swaggerRequestBody(all, swaggerMediaTypes(operation, root, 'consumes')),
      response: { headers, content: swaggerResponseContent(answer, swaggerMediaTypes(operation, root, 'produces')) },
    };
  }
  const written = readOwnField(operation, 'requestBody');
  const body = written === undefined ? undefined : references.resolve(written, `${at}.requestBody`);
  return {
    parameters,
    body: body && {
      isRequired: readOwnField(body, 'required') === true,
      content: readMediaTypes(readOwnField(body, 'content')),
    },
    response: { headers, content: readMediaTypes(readOwnField(answer, 'content')) },
  };
}
