import { parseExactJson } from '@/contract/exact-json';
import type { Conversion, Piece } from '../conversion';
import { codeOf, valueOf } from '../conversion';
import { bag, list, type Bag } from '../file';
import { call, quoted } from '../javascript/code';
import { expression, jsonValue, isExpression, type Expressions } from '../text';
import type { Convert } from './flow';

/** A field that a node sets. */
interface Field {
  name: string;
  type: string;
  value: unknown;
}

/** The fields of a `set` node, in the three forms that n8n has had. */
function fieldsOf(parameters: Bag): Field[] {
  const present = list(bag(parameters['assignments'])['assignments']).map(({ name, type, value }): Field => ({
    name: String(name ?? ''),
    type: String(type ?? 'string'),
    value,
  }));
  const middle = list(bag(parameters['fields'])['values']).map((field): Field => {
    const { name, type = 'stringValue' } = field;
    const kind = String(type);
    return {
      name: String(name ?? ''),
      type: kind.replace('Value', ''),
      value: Object.hasOwn(field, kind) ? field[kind] : '',
    };
  });
  const first = Object.entries(bag(parameters['values'])).flatMap(([type, values]) =>
    list(values).map(({ name, value }): Field => ({ name: String(name ?? ''), type, value })),
  );
  return [...present, ...middle, ...first].filter(({ name }) => name !== '');
}

/** The value of a field in its type. */
function typed({ type, value }: Field): unknown {
  if (typeof value !== 'string' || isExpression(value)) return value ?? null;
  if (type === 'number' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value);
  if (type === 'boolean') return value === 'true';
  if (type !== 'array' && type !== 'object') return value;
  try {
    return parseExactJson(value);
  } catch {
    return value;
  }
}

type Nested = Map<string, Nested | { given: unknown }>;
const MAX_STEPS = 10;

/** Names with dots are fields of fields. */
function nested(fields: readonly Field[], isFlat: boolean): Nested {
  const root: Nested = new Map();
  for (const field of fields) {
    const steps = isFlat ? [field.name] : field.name.split('.').slice(0, MAX_STEPS);
    let place = root;
    for (const step of steps.slice(0, -1)) {
      const next = place.get(step);
      const inner: Nested = next instanceof Map ? next : new Map();
      place.set(step, inner);
      place = inner;
    }
    place.set(steps.at(-1) ?? field.name, { given: typed(field) });
  }
  return root;
}

const objectOf = (fields: Nested, write: (given: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(
    [...fields]
      .filter(([name]) => name !== '__proto__')
      .map(([name, each]) => [
        name.replaceAll('{{', '{ {'),
        each instanceof Map ? objectOf(each, write) : write(each.given),
      ]),
  );

const expressionOf = (fields: Nested, write: (given: unknown) => string): string =>
  fields.size === 0
    ? '{}'
    : `{ ${[...fields].map(([name, each]) => `${quoted(name)}: ${each instanceof Map ? expressionOf(each, write) : write(each.given)}`).join(', ')} }`;

/** What of the item stays, as JSONata; undefined: nothing. */
function kept({ node }: Conversion, json: string): string | undefined {
  const { parameters, version } = node;
  if (version < 3) return parameters['keepOnlySet'] === true ? undefined : json;
  const include =
    parameters['include'] ?? (version < 3.3 ? 'all' : parameters['includeOtherFields'] === true ? 'all' : 'none');
  if (version >= 3.3 && parameters['includeOtherFields'] !== true) return undefined;
  const names = (given: unknown) =>
    (typeof given === 'string' ? given : '')
      .split(',')
      .map((name) => quoted(name.trim()))
      .filter((name) => name !== '""')
      .join(', ');
  if (include === 'selected')
    return `$sift(${json}, function($v, $k) { $k in [${names(parameters['includeFields'])}] })`;
  if (include === 'except')
    return `$sift(${json}, function($v, $k) { $not($k in [${names(parameters['excludeFields'])}]) })`;
  return include === 'none' ? undefined : json;
}

const set: Convert = (conversion) => {
  const { parameters } = conversion.node;
  const isFlat = bag(parameters['options'])['dotNotation'] === false;
  if (parameters['mode'] === 'raw') return raw(conversion, parameters['jsonOutput']);
  const fields = nested(fieldsOf(parameters), isFlat);
  if (!conversion.source.isList && kept(conversion, '') === undefined) {
    const expressions = conversion.expressions(conversion.json);
    const config = { fields: objectOf(fields, (given) => valueOf(given, expressions)) };
    return conversion.whole({ type: 'transform', config });
  }
  const make = (expressions: Expressions) => {
    const own = expressionOf(fields, (given) => codeOf(given, expressions));
    const rest = kept(conversion, expressions.scope.json);
    return rest === undefined ? own : `$merge([${rest}, ${own}])`;
  };
  return conversion.mapped(make) ?? conversion.placeholder('Enter its fields.');
};

/** A `set` whose output is written as JSON. */
function raw(conversion: Conversion, given: unknown): Piece {
  const json = conversion.source.isList ? undefined : conversion.json;
  const found =
    typeof given === 'string'
      ? jsonValue(given, conversion.expressions(json ?? '$item', '$index'))
      : { value: valueOf(given, conversion.expressions(json ?? '$item', '$index')) };
  const value = found?.value;
  if (value === undefined) {
    conversion.todo('Enter its JSON: it can not be read.');
    return conversion.passing({ type: 'transform', config: { expression: 'input' } });
  }
  if (typeof value === 'string' && json !== undefined) {
    const whole = /^\{\{ ([\s\S]*) \}\}$/.exec(value);
    return conversion.whole({ type: 'transform', config: { expression: whole?.[1] ?? quoted(value) } });
  }
  if (json !== undefined && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const rest = kept(conversion, json);
    if (rest !== undefined) conversion.todo('It drops the other fields: add those that are needed.');
    return conversion.whole({ type: 'transform', config: { fields: value } });
  }
  const make = (expressions: Expressions) =>
    typeof given === 'string' && !isExpression(given) ? expression(parsed(given), expressions)?.code : undefined;
  const piece = conversion.mapped(make);
  if (piece) return piece;
  conversion.todo('Enter its fields: its JSON has expressions, for each item of a list.');
  return conversion.passing({ type: 'transform', config: { expression: 'input' } }, ['output']);
}

const parsed = (text: string): unknown => {
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
};

const renameKeys: Convert = (conversion) => {
  const keys = list(bag(conversion.node.parameters['keys'])['key']).flatMap(({ currentKey, newKey }) =>
    typeof currentKey === 'string' && typeof newKey === 'string' && currentKey ? [[currentKey, newKey] as const] : [],
  );
  const names = keys.map(([from]) => quoted(from)).join(', ');
  const made = (json: string) =>
    `$merge([$sift(${json}, function($v, $k) { $not($k in [${names}]) }), { ${keys.map(([from, to]) => `${quoted(to)}: $lookup(${json}, ${quoted(from)})`).join(', ')} }])`;
  if (keys.length === 0) return conversion.placeholder('Enter the names of the fields.');
  return conversion.mapped(({ scope }) => made(scope.json)) ?? conversion.placeholder('Enter the names of the fields.');
};

const ALGORITHMS: Readonly<Record<string, string>> = {
  MD5: 'md5',
  SHA256: 'sha256',
  SHA384: 'sha384',
  SHA512: 'sha512',
  SHA1: 'sha1',
};

const crypto: Convert = (conversion) => {
  const { parameters } = conversion.node;
  const { action = 'hash', type = 'MD5', dataPropertyName = 'data', encoding = 'hex' } = parameters;
  const algorithm = ALGORITHMS[String(type)];
  const isKnown = action === 'generate' || ((action === 'hash' || action === 'hmac') && algorithm !== undefined);
  if (!isKnown || parameters['binaryData'] === true)
    return conversion.placeholder('Write it with $hash, $hmac or $uuid.');
  const { secret } = parameters;
  if (action === 'hmac') {
    if (typeof secret === 'string' && secret !== '') conversion.say('Its key is a part of the workflow.');
    else conversion.todo('Enter its key.');
  }
  const make = (expressions: Expressions) => {
    const code =
      action === 'generate'
        ? '$uuid()'
        : call(
            String(action),
            'string',
            codeOf(parameters['value'] ?? '', expressions),
            ...(action === 'hmac' ? [codeOf(secret ?? '', expressions)] : []),
            quoted(algorithm ?? ''),
            quoted(encoding === 'base64' ? 'base64' : 'hex'),
          ).code;
    return `$merge([${expressions.scope.json}, { ${quoted(String(dataPropertyName))}: ${code} }])`;
  };
  return conversion.mapped(make) ?? conversion.placeholder('Write it with $hash, $hmac or $uuid.');
};

export const DATA: Readonly<Record<string, Convert>> = {
  set,
  renameKeys,
  crypto,
};
