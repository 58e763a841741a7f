import { readItem, type ItemData, type N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
import { assignField, copyValue } from './paths';
import { readParameterRows, readTypedParameter } from './typed-parameters';

/** What a node of Weft gave for an item: the import adds it as `output`, and the item as `source`. */
interface NodeAnswer {
  output: ItemData;
  source: N8nItem;
  /** The failure of the node; undefined: there is none. */
  failure: string | undefined;
}

const isData = (value: unknown): value is ItemData =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isFile = (value: unknown): boolean => isData(value) && typeof value['$file'] === 'string';

function readAnswer({ output: given, source }: N8nParameters): NodeAnswer {
  const output = isData(given) ? given : { value: given };
  const { error } = output;
  const isFailed = Object.keys(output).length === 1 && typeof error === 'string';
  return { output, source: readItem(source), failure: isFailed ? error : undefined };
}

/** The values at a path; lists on the way are followed item by item. */
function readValues(value: unknown, path: string): unknown {
  const names = path.split('.').filter((name) => name !== '');
  return names.reduce<unknown>(
    (inside, name) =>
      Array.isArray(inside)
        ? inside.flatMap((one: unknown) => (isData(one) && one[name] !== undefined ? [one[name]] : []))
        : isData(inside)
          ? inside[name]
          : undefined,
    value,
  );
}

/**
 * The items of what a service answered. The import adds `path`, where the output has it, and `shape`, which makes an
 * item of n8n of each value of a list, or of the value.
 */
export function listAnswerItems(parameters: N8nParameters): N8nItem[] {
  const { output, source, failure } = readAnswer(parameters);
  if (failure !== undefined) return [{ json: { error: failure } }];
  const { path, shape, isList, output: given } = parameters;
  const found = path === '' ? given : readValues(output, String(path));
  const makeItem = typeof shape === 'function' ? (shape as (value: unknown, item: ItemData) => unknown) : undefined;
  const one = makeItem && isList !== true ? makeItem(found, source.json) : found;
  const list: unknown[] = Array.isArray(one) ? one : [one ?? {}];
  return list.map((value): N8nItem => {
    if (isFile(value)) return { json: source.json, binary: { ...source.binary, [fileField(parameters)]: value } };
    const made = makeItem && isList === true ? makeItem(value, source.json) : value;
    return { json: isData(made) ? made : { data: made } };
  });
}

const fileField = (parameters: N8nParameters): string => readTypedParameter(parameters, 'fileField', 'data');

const BINARY_TYPES = /image\/|audio\/|video\/|application\/(?:octet-stream|gzip|zip|pdf|x-bzip)/;

/** The items of the answer to an HTTP request, whose body is text, JSON or a file. */
export function listHttpItems(version: number, parameters: N8nParameters): N8nItem[] {
  const { output, source, failure } = readAnswer(parameters);
  // In n8n, too, the error of a request is an object.
  if (failure !== undefined) return [{ json: { error: { message: failure } } }];
  const { status, headers, body } = output;
  const name = readTypedParameter(parameters, 'fieldName', 'data');
  const format = readTypedParameter(parameters, 'format', 'autodetect');
  if (readTypedParameter(parameters, 'failsByStatus', false) && !(Number(status) >= 200 && Number(status) < 300)) {
    const isText = format === 'autodetect' || readTypedParameter(parameters, 'sendsRaw', false);
    return [{ json: { error: describeStatusError(Number(status), isText ? writeBodyText(body) : parseBody(body)) } }];
  }
  const isWhole = readTypedParameter(parameters, 'isWhole', false);
  const around: ItemData = isWhole ? { headers, statusCode: status } : {};
  if (format === 'file') return [{ json: isWhole ? around : source.json, binary: { ...source.binary, [name]: body } }];
  const type = isData(headers) ? String(headers['content-type'] ?? '') : '';
  const isJson = format === 'json' || (format === 'autodetect' && type.includes('application/json'));
  if (format === 'autodetect' && !isJson && BINARY_TYPES.test(type))
    throw new Error(`The answer is a file (${type}): let the node read it as a file.`);
  if (!isJson) return [{ json: { ...around, [name]: writeBodyText(body) } }];
  const value = readBodyJson(body);
  if (isWhole) return [{ json: { body: value, ...around } }];
  const splits = version >= 3 || readTypedParameter(parameters, 'splits', false);
  return Array.isArray(value) && splits
    ? value.map((one: unknown) => ({ json: one as ItemData }))
    : [{ json: value as ItemData }];
}

/** A body as its value, if it is JSON. */
function parseBody(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

/** The error that n8n makes of an answer that is none of success. */
const describeStatusError = (status: number, body: unknown): ItemData => ({
  message:
    status === 429
      ? "Try spacing your requests out using the batching settings under 'Options'"
      : `${status} - ${JSON.stringify(body ?? '')}`,
  name: 'AxiosError',
  code: status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE',
  status,
});

const writeBodyText = (body: unknown): unknown =>
  body === null || body === '' || body === undefined
    ? undefined
    : typeof body === 'string'
      ? body
      : JSON.stringify(body);

function readBodyJson(body: unknown): unknown {
  if (body === null || body === undefined || body === '') return {};
  if (typeof body !== 'string') return copyValue(body as ItemData);
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new Error('Response body is not valid JSON. Change "Response Format" to "Text"');
  }
}

/** The fields of a body by rows with names and values. `nests`: a name such as `a.b` is a path. */
export function writeBodyFields(parameters: N8nParameters): ItemData {
  const fields: ItemData = {};
  const nests = readTypedParameter(parameters, 'nests', false);
  for (const { name, value } of readParameterRows(parameters, 'rows', { name: '', value: '' as unknown })) {
    if (nests) assignField(fields, name, value);
    else fields[name] = value;
  }
  return fields;
}

/** A text of JSON as its value; what is no text stays as it is. */
export function readJsonText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw new Error('JSON parameter needs to be valid JSON');
  }
}
