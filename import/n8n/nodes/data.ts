import { parseExactJson } from '@/contract/exact-json';
import type { NodeConversion, ConvertedNodes } from '../conversion';
import { parameterCode, parameterValue } from '../conversion';
import { asN8nObject, asN8nObjects, type N8nObject } from '../file';
import { jsonataCall, jsonataString } from '../javascript/code';
import { convertExpression, convertJsonText, isN8nExpression, type NodeExpressions } from '../n8n-expressions';
import type { NodeConverter } from './flow';

/** A field that a node sets. */
interface SetNodeField {
  name: string;
  type: string;
  value: unknown;
}

/** The fields of a `set` node, in the three forms that n8n has had. */
function readSetFields(parameters: N8nObject): SetNodeField[] {
  const present = asN8nObjects(asN8nObject(parameters['assignments'])['assignments']).map(
    ({ name, type, value }): SetNodeField => ({
      name: String(name ?? ''),
      type: String(type ?? 'string'),
      value,
    }),
  );
  const middle = asN8nObjects(asN8nObject(parameters['fields'])['values']).map((field): SetNodeField => {
    const { name, type = 'stringValue' } = field;
    const kind = String(type);
    return {
      name: String(name ?? ''),
      type: kind.replace('Value', ''),
      value: Object.hasOwn(field, kind) ? field[kind] : '',
    };
  });
  const first = Object.entries(asN8nObject(parameters['values'])).flatMap(([type, values]) =>
    asN8nObjects(values).map(({ name, value }): SetNodeField => ({ name: String(name ?? ''), type, value })),
  );
  return [...present, ...middle, ...first].filter(({ name }) => name !== '');
}

/** Converts the value of a field to the type of the field. */
function typedFieldValue({ type, value }: SetNodeField): unknown {
  if (typeof value !== 'string' || isN8nExpression(value)) return value ?? null;
  if (type === 'number' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
  if (type === 'boolean') return value === 'true';
  if (type !== 'array' && type !== 'object') return value;
  try {
    return parseExactJson(value);
  } catch {
    return value;
  }
}

type NestedFields = Map<string, NestedFields | { given: unknown }>;
const MAX_FIELD_STEPS = 10;

/** Nests fields whose names have dots. */
function nestDottedFields(fields: readonly SetNodeField[], isFlat: boolean): NestedFields {
  const root: NestedFields = new Map();
  for (const field of fields) {
    const steps = isFlat ? [field.name] : field.name.split('.').slice(0, MAX_FIELD_STEPS);
    let place = root;
    for (const step of steps.slice(0, -1)) {
      const next = place.get(step);
      const inner: NestedFields = next instanceof Map ? next : new Map();
      place.set(step, inner);
      place = inner;
    }
    place.set(steps.at(-1) ?? field.name, { given: typedFieldValue(field) });
  }
  return root;
}

const nestedFieldsObject = (fields: NestedFields, write: (given: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(
    [...fields]
      .filter(([name]) => name !== '__proto__')
      .map(([name, each]) => [
        name.replaceAll('{{', '{ {'),
        each instanceof Map ? nestedFieldsObject(each, write) : write(each.given),
      ]),
  );

const nestedFieldsCode = (fields: NestedFields, write: (given: unknown) => string): string =>
  fields.size === 0
    ? '{}'
    : `{ ${[...fields].map(([name, each]) => `${jsonataString(name)}: ${each instanceof Map ? nestedFieldsCode(each, write) : write(each.given)}`).join(', ')} }`;

/** JSONata for the fields of the item that are kept; undefined: none are. */
function keptFieldsCode({ node }: NodeConversion, json: string): string | undefined {
  const { parameters, version } = node;
  if (version < 3) return parameters['keepOnlySet'] === true ? undefined : json;
  const include =
    parameters['include'] ?? (version < 3.3 ? 'all' : parameters['includeOtherFields'] === true ? 'all' : 'none');
  if (version >= 3.3 && parameters['includeOtherFields'] !== true) return undefined;
  const names = (given: unknown) =>
    (typeof given === 'string' ? given : '')
      .split(',')
      .map((name) => jsonataString(name.trim()))
      .filter((name) => name !== '""')
      .join(', ');
  if (include === 'selected')
    return `$sift(${json}, function($v, $k) { $k in [${names(parameters['includeFields'])}] })`;
  if (include === 'except')
    return `$sift(${json}, function($v, $k) { $not($k in [${names(parameters['excludeFields'])}]) })`;
  return include === 'none' ? undefined : json;
}

const convertSet: NodeConverter = (conversion) => {
  const { parameters } = conversion.node;
  const isFlat = asN8nObject(parameters['options'])['dotNotation'] === false;
  if (parameters['mode'] === 'raw') return convertRawSet(conversion, parameters['jsonOutput']);
  const fields = nestDottedFields(readSetFields(parameters), isFlat);
  if (!conversion.source.isList && keptFieldsCode(conversion, '') === undefined) {
    const expressions = conversion.expressions(conversion.json);
    const config = { fields: nestedFieldsObject(fields, (given) => parameterValue(given, expressions)) };
    return conversion.asSingleNode({ type: 'transform', config });
  }
  const make = (expressions: NodeExpressions) => {
    const own = nestedFieldsCode(fields, (given) => parameterCode(given, expressions));
    const rest = keptFieldsCode(conversion, expressions.scope.json);
    return rest === undefined ? own : `$merge([${rest}, ${own}])`;
  };
  return conversion.mapItems(make) ?? conversion.placeholder('Enter its fields.');
};

/** A `set` whose output is written as JSON. */
function convertRawSet(conversion: NodeConversion, given: unknown): ConvertedNodes {
  const json = conversion.source.isList ? undefined : conversion.json;
  const found =
    typeof given === 'string'
      ? convertJsonText(given, conversion.expressions(json ?? '$item', '$index'))
      : { value: parameterValue(given, conversion.expressions(json ?? '$item', '$index')) };
  const value = found?.value;
  if (value === undefined) {
    conversion.addTodo('Enter its JSON: it can not be read.');
    return conversion.asPassThrough({ type: 'transform', config: { expression: 'input' } });
  }
  if (typeof value === 'string' && json !== undefined) {
    const whole = /^\{\{ ([\s\S]*) \}\}$/.exec(value);
    return conversion.asSingleNode({ type: 'transform', config: { expression: whole?.[1] ?? jsonataString(value) } });
  }
  if (json !== undefined && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const rest = keptFieldsCode(conversion, json);
    if (rest !== undefined) conversion.addTodo('It drops the other fields: add those that are needed.');
    return conversion.asSingleNode({ type: 'transform', config: { fields: value } });
  }
  const make = (expressions: NodeExpressions) =>
    typeof given === 'string' && !isN8nExpression(given)
      ? convertExpression(parseJsonOrText(given), expressions)?.code
      : undefined;
  const piece = conversion.mapItems(make);
  if (piece) return piece;
  conversion.addTodo('Enter its fields: its JSON has expressions, for each item of a list.');
  return conversion.asPassThrough({ type: 'transform', config: { expression: 'input' } }, ['output']);
}

const parseJsonOrText = (text: string): unknown => {
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
};

const convertRenameKeys: NodeConverter = (conversion) => {
  const keys = asN8nObjects(asN8nObject(conversion.node.parameters['keys'])['key']).flatMap(({ currentKey, newKey }) =>
    typeof currentKey === 'string' && typeof newKey === 'string' && currentKey ? [[currentKey, newKey] as const] : [],
  );
  const names = keys.map(([from]) => jsonataString(from)).join(', ');
  const made = (json: string) =>
    `$merge([$sift(${json}, function($v, $k) { $not($k in [${names}]) }), { ${keys.map(([from, to]) => `${jsonataString(to)}: $lookup(${json}, ${jsonataString(from)})`).join(', ')} }])`;
  if (keys.length === 0) return conversion.placeholder('Enter the names of the fields.');
  return (
    conversion.mapItems(({ scope }) => made(scope.json)) ?? conversion.placeholder('Enter the names of the fields.')
  );
};

const CRYPTO_ALGORITHMS: Readonly<Record<string, string>> = {
  MD5: 'md5',
  SHA256: 'sha256',
  SHA384: 'sha384',
  SHA512: 'sha512',
  SHA1: 'sha1',
};

const convertCrypto: NodeConverter = (conversion) => {
  const { parameters } = conversion.node;
  const { action = 'hash', type = 'MD5', dataPropertyName = 'data', encoding = 'hex' } = parameters;
  const algorithm = CRYPTO_ALGORITHMS[String(type)];
  const isKnown = action === 'generate' || ((action === 'hash' || action === 'hmac') && algorithm !== undefined);
  if (!isKnown || parameters['binaryData'] === true)
    return conversion.placeholder('Write it with $hash, $hmac or $uuid.');
  const { secret } = parameters;
  if (action === 'hmac') {
    if (typeof secret === 'string' && secret !== '') conversion.addRemark('Its key is a part of the workflow.');
    else conversion.addTodo('Enter its key.');
  }
  const make = (expressions: NodeExpressions) => {
    const code =
      action === 'generate'
        ? '$uuid()'
        : jsonataCall(
            String(action),
            'string',
            parameterCode(parameters['value'] ?? '', expressions),
            ...(action === 'hmac' ? [parameterCode(secret ?? '', expressions)] : []),
            jsonataString(algorithm ?? ''),
            jsonataString(encoding === 'base64' ? 'base64' : 'hex'),
          ).code;
    return `$merge([${expressions.scope.json}, { ${jsonataString(String(dataPropertyName))}: ${code} }])`;
  };
  return conversion.mapItems(make) ?? conversion.placeholder('Write it with $hash, $hmac or $uuid.');
};

export const DATA_CONVERTERS: Readonly<Record<string, NodeConverter>> = {
  set: convertSet,
  renameKeys: convertRenameKeys,
  crypto: convertCrypto,
};
