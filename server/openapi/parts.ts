import { bagOf, fieldOf, listOf, textOf, type ApiDocument, type Bag } from './document';
import { Unusable, type References } from './references';

/*
 * The parts of an operation in the form of OpenAPI 3, from a document of any version.
 */

/** A parameter in the path, the query, a header or a cookie. */
export interface ParameterPart {
  name: string;
  in: string;
  isRequired: boolean;
  /** The parameter as written: of Swagger 2.0 it is its schema as well. */
  bag: Bag;
  schema: unknown;
  /** Its value is JSON. */
  isJson: boolean;
}

export interface BodyPart {
  isRequired: boolean;
  /** By media type. */
  content: [type: string, media: Bag][];
}

export interface Parts {
  parameters: ParameterPart[];
  body: BodyPart | undefined;
  /** The answer of success. */
  answer: { headers: Bag; content: [type: string, media: Bag][] };
}

const MAX_PARAMETERS = 200;
const MAX_MEDIA = 20;

const mediaOf = (content: unknown): [string, Bag][] =>
  Object.entries(bagOf(content))
    .slice(0, MAX_MEDIA)
    .map(([type, media]) => [type.toLowerCase(), bagOf(media)]);

/** The parameters of a path and of its operation, which override those of the path. */
function parametersIn(path: Bag, operation: Bag, references: References, at: string): Bag[] {
  const found = new Map<string, Bag>();
  for (const [list, where] of [
    [fieldOf(path, 'parameters'), ''],
    [fieldOf(operation, 'parameters'), at],
  ] as const) {
    for (const [index, one] of listOf(list).entries()) {
      const place = `${where === '' ? at.replace(/\.\w+$/, '') : where}.parameters[${index}]`;
      const parameter = references.resolve(one, place);
      const [name, kind] = [textOf(parameter, 'name'), textOf(parameter, 'in')];
      if (name === undefined || kind === undefined) throw new Unusable(place, 'has no `name` or `in`');
      found.set(`${kind} ${name}`, parameter);
    }
  }
  if (found.size > MAX_PARAMETERS) throw new Unusable(at, `has more than ${MAX_PARAMETERS} parameters`);
  return [...found.values()];
}

function parameterPart(bag: Bag, isSwagger: boolean): ParameterPart {
  const [media] = mediaOf(fieldOf(bag, 'content'));
  const place = textOf(bag, 'in') ?? '';
  return {
    name: textOf(bag, 'name') ?? '',
    in: place,
    isRequired: place === 'path' || fieldOf(bag, 'required') === true,
    bag,
    schema: isSwagger ? bag : (fieldOf(bag, 'schema') ?? fieldOf(media?.[1], 'schema') ?? {}),
    isJson: media !== undefined && /json/.test(media[0]),
  };
}

/** The first answer of success, in the order in which documents mean it. */
function answerIn(operation: Bag, references: References): Bag {
  const responses = Object.entries(bagOf(fieldOf(operation, 'responses')));
  const isNamed = (pattern: RegExp) => responses.find(([status]) => pattern.test(status));
  const [, found] = isNamed(/^20[01]$/) ?? isNamed(/^2..$/i) ?? isNamed(/^default$/) ?? [];
  return found === undefined ? {} : references.find(found);
}

/** Media types of Swagger 2.0: of the operation, else of the document. */
const typesIn = (operation: Bag, root: Bag, field: string): string[] =>
  listOf(fieldOf(operation, field) ?? fieldOf(root, field))
    .slice(0, MAX_MEDIA)
    .filter((type): type is string => typeof type === 'string');

/** Bodies of Swagger 2.0: one parameter that is the body, or the fields of a form. */
function swaggerBody(parameters: Bag[], types: string[]): BodyPart | undefined {
  const whole = parameters.find((one) => textOf(one, 'in') === 'body');
  if (whole) {
    const media = { schema: fieldOf(whole, 'schema') ?? {} };
    const all = types.length > 0 ? types : ['application/json'];
    return { isRequired: fieldOf(whole, 'required') === true, content: all.map((type) => [type.toLowerCase(), media]) };
  }
  const fields = parameters.filter((one) => textOf(one, 'in') === 'formData');
  if (fields.length === 0) return undefined;
  const properties = Object.fromEntries(fields.map((field) => [textOf(field, 'name') ?? '', field]));
  const required = fields.filter((field) => fieldOf(field, 'required') === true).map((field) => textOf(field, 'name'));
  const hasFiles = fields.some((field) => fieldOf(field, 'type') === 'file');
  const type =
    hasFiles || types.includes('multipart/form-data') ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  return { isRequired: required.length > 0, content: [[type, { schema: { type: 'object', properties, required } }]] };
}

function swaggerAnswer(answer: Bag, types: string[]): [string, Bag][] {
  const schema = fieldOf(answer, 'schema');
  if (schema === undefined) return [];
  const examples = bagOf(fieldOf(answer, 'examples'));
  return (types.length > 0 ? types : ['application/json']).map((type) => [
    type.toLowerCase(),
    { schema, ...(Object.hasOwn(examples, type) ? { example: examples[type] } : {}) },
  ]);
}

/** The parts of an operation. `at`: its place. Throws Unusable. */
export function partsOf(
  { root, isSwagger }: ApiDocument,
  [path, operation]: [path: Bag, operation: Bag],
  references: References,
  at: string,
): Parts {
  const all = parametersIn(path, operation, references, at);
  const answer = answerIn(operation, references);
  const headers = bagOf(fieldOf(answer, 'headers'));
  const isBody = (one: Bag) => isSwagger && ['body', 'formData'].includes(textOf(one, 'in') ?? '');
  const parameters = all.filter((one) => !isBody(one)).map((one) => parameterPart(one, isSwagger));
  if (isSwagger) {
    return {
      parameters,
      body: swaggerBody(all, typesIn(operation, root, 'consumes')),
      answer: { headers, content: swaggerAnswer(answer, typesIn(operation, root, 'produces')) },
    };
  }
  const written = fieldOf(operation, 'requestBody');
  const body = written === undefined ? undefined : references.resolve(written, `${at}.requestBody`);
  return {
    parameters,
    body: body && { isRequired: fieldOf(body, 'required') === true, content: mediaOf(fieldOf(body, 'content')) },
    answer: { headers, content: mediaOf(fieldOf(answer, 'content')) },
  };
}
