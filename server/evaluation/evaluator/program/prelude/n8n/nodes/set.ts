import { jsonrepair } from 'jsonrepair';
import { describeValue, isInvalid, toFieldType } from './field-types';
import type { N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
import { readParameterRows, readTypedParameter } from './typed-parameters';
import { copyValue, getField, listNames, assignField, unsetField } from './paths';

type Fields = Record<string, unknown>;

/** A field to set. `value`: as the node has it, not evaluated. */
interface FieldToSet {
  name: string;
  type: string;
  value: unknown;
}

const requireObject = (value: unknown, place: string, index: number): Fields => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`The ${place} in item ${index} does not contain a valid JSON object`);
  return value as Fields;
};

/**
 * The text of JSON with expressions: a list of texts and values, of which objects are written as JSON, and null and
 * undefined as such.
 */
export const joinJsonParts = (parts: unknown): unknown =>
  Array.isArray(parts)
    ? parts.map((part) => (typeof part !== 'object' || part === null ? String(part) : JSON.stringify(part))).join('')
    : parts;

function parseRepaired(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(jsonrepair(text));
  }
}

/** JSON of a parameter; faults in it, as quotes in a text, are repaired by the library that n8n has for it. */
function parseJsonFields(value: unknown, place: string, index: number): Fields {
  if (typeof value !== 'string') return requireObject(value, place, index);
  let found: unknown;
  try {
    found = parseRepaired(value);
  } catch {
    throw new Error(`The ${place} in item ${index} contains invalid JSON`);
  }
  return requireObject(found, place, index);
}

/** A value as a text. A date is written as JSON, with its quotes. */
const toText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

function convertField(
  { name, type, value }: FieldToSet,
  version: number,
  ignoresErrors: boolean,
  index: number,
): unknown {
  if (value === undefined || value === null) {
    if (version >= 3.2) return null;
    if (version > 3 && type === 'string') {
      if (ignoresErrors) return null;
      throw new Error(`'${name}' expects a string but we got ${describeValue(value)} [item ${index}]`);
    }
    if (type !== 'string') return null;
  }
  if (type === 'string') return toText(value);
  const converted = toFieldType(type, value);
  if (!isInvalid(converted)) return version >= 3.5 ? (JSON.parse(JSON.stringify(converted)) as unknown) : converted;
  if (ignoresErrors) return value;
  throw new Error(`'${name}' expects a ${type} but we got ${describeValue(value)} [item ${index}]`);
}

/** The fields of a node, in the forms that n8n has had since version 3. */
function listFieldsToSet(version: number, parameters: N8nParameters, index: number): FieldToSet[] {
  if (version >= 3.3)
    return readParameterRows(parameters, 'assignments.assignments', { name: '', type: 'string', value: undefined });
  const rows = readParameterRows<Fields>(parameters, 'fields.values', {
    name: '',
    type: 'stringValue',
    stringValue: '',
    numberValue: '',
    booleanValue: 'true',
    arrayValue: '',
    objectValue: {},
  });
  return rows.map((row) => {
    const kind = String(row['type']);
    const name = String(row['name']);
    const value =
      kind === 'objectValue' && (Array.isArray(row[kind]) || typeof row[kind] === 'string')
        ? parseJsonFields(joinJsonParts(row[kind]), `entry "${name}" inside 'Fields to Set'`, index)
        : row[kind];
    return { name, type: kind.replace('Value', ''), value };
  });
}

function keptFields(json: Fields, parameters: N8nParameters, include: string, hasDots: boolean): Fields {
  if (include === 'all') return copyValue(json);
  if (include === 'selected') {
    const kept: Fields = {};
    for (const name of listNames(readTypedParameter(parameters, 'includeFields', ''))) {
      const last = hasDots && name.includes('.') ? (name.split('.').at(-1) ?? name) : name;
      assignField(kept, last, getField(json, name, hasDots), hasDots);
    }
    return kept;
  }
  if (include !== 'except') return {};
  const kept = copyValue(json);
  for (const name of listNames(readTypedParameter(parameters, 'excludeFields', ''))) unsetField(kept, name, hasDots);
  return kept;
}

function setSinceVersion3(version: number, parameters: N8nParameters, item: N8nItem, index: number): N8nItem {
  const keepsOthers = readTypedParameter(parameters, 'includeOtherFields', false);
  const chosen = readTypedParameter(parameters, 'include', 'all');
  const include = version < 3.3 || keepsOthers ? chosen : 'none';
  const hasDots = readTypedParameter(parameters, 'options.dotNotation', true);
  const ignoresErrors = readTypedParameter(parameters, 'options.ignoreConversionErrors', false);
  const made: Fields = {};
  const files: Fields = {};
  if (readTypedParameter(parameters, 'mode', 'manual') === 'raw') {
    const json = readTypedParameter<unknown>(parameters, 'jsonOutput', { my_field_1: 'value', my_field_2: 1 });
    // What holds no expression is checked before the node runs, and is not repaired then.
    if (typeof parameters['jsonOutput'] === 'string' && isInvalid(toFieldType('object', json)))
      throw new Error(`'jsonOutput' expects a object but we got '${parameters['jsonOutput']}'`);
    Object.assign(made, parseJsonFields(joinJsonParts(json), "'JSON Output'", index));
  } else {
    for (const field of listFieldsToSet(version, parameters, index)) {
      if (field.type === 'binary') files[field.name] = item.binary?.[String(field.value)] ?? field.value;
      else made[field.name] = convertField(field, version, ignoresErrors, index);
    }
  }
  const json = keptFields(item.json, parameters, include, hasDots);
  for (const [name, value] of Object.entries(made)) assignField(json, name, value, hasDots);
  const keepsFiles =
    version >= 3.4
      ? !readTypedParameter(parameters, 'options.stripBinary', false) && include !== 'none'
      : readTypedParameter(parameters, 'options.includeBinary', false);
  const binary = { ...(keepsFiles ? item.binary : {}), ...files };
  return Object.keys(binary).length > 0 ? { json, binary } : { json };
}

function setBeforeVersion3(version: number, parameters: N8nParameters, item: N8nItem): N8nItem {
  const keepsOnlySet = readTypedParameter(parameters, 'keepOnlySet', false);
  const hasDots = readTypedParameter(parameters, 'options.dotNotation', true);
  const json: Fields = keepsOnlySet ? {} : copyValue(item.json);
  const rows = (type: string, value: unknown) =>
    readParameterRows(parameters, `values.${type}`, { name: 'propertyName', value });
  for (const { name, value } of rows('boolean', false)) assignField(json, name, Boolean(value), hasDots);
  for (const { name, value } of rows('number', 0)) {
    const isNumeric = version >= 2 && typeof value === 'string' && !Number.isNaN(Number(value));
    assignField(json, name, isNumeric ? Number(value) : value, hasDots);
  }
  for (const { name, value } of rows('string', '')) assignField(json, name, value, hasDots);
  return keepsOnlySet || !item.binary ? { json } : { json, binary: item.binary };
}

/** The item that a node of the type `set` makes of an item. */
export const setFields = (version: number, parameters: N8nParameters, item: N8nItem, index: number): N8nItem =>
  version < 3 ? setBeforeVersion3(version, parameters, item) : setSinceVersion3(version, parameters, item, index);
