import type { Piece } from '../../conversion';
import { textOf } from '../../conversion';
import { isExpression, plain } from '../../text';
import type { Convert } from '../flow';
import { chosen } from '../http';
import { listed, reshaped, service, type CallOf, type Reader } from './service';

const table = (read: Reader) => ({ base: read.text('base', 'baseId', 'application'), table: read.text('table') });

/** The fields of a record: those that are entered, or those of the item that comes in. */
function fieldsOf(read: Reader): unknown {
  const { id: _, ...entered } = read.fields('columns.value');
  if (Object.keys(entered).length > 0) return entered;
  const names = [read.get('fields')].flat().filter((name) => typeof name === 'string' && name !== '');
  if (names.length > 0) read.todo(`Enter the fields that it stores: ${names.slice(0, 10).join(', ')}.`);
  return read.item;
}

/** The fields by which records are found; undefined: by their id. */
const keysOf = (read: Reader): string[] | undefined => {
  const given = read.get('columns.matchingColumns');
  const keys = Array.isArray(given) ? given.filter((key) => typeof key === 'string' && !isExpression(key)) : [];
  return keys.length === 0 || keys.includes('id') ? undefined : keys.map((key) => plain(String(key)));
};

const typecast = (read: Reader) => read.value('options.typecast');

const update: CallOf = (read) => {
  const keys = keysOf(read);
  const fields = fieldsOf(read);
  if (keys) {
    read.conversion.say('It adds a record if there is none.');
    return {
      operation: 'records.upsert',
      parameters: { ...table(read), rows: [fields], keys, typecast: typecast(read) },
    };
  }
  const record = read.text('columns.value.id', 'id') ?? `{{ ${read.expressions.scope.json}.id }}`;
  return { operation: 'records.update', parameters: { ...table(read), record, fields, typecast: typecast(read) } };
};

const upsert: CallOf = (read) => {
  const keys = keysOf(read);
  if (!keys) return update(read);
  const parameters = { ...table(read), rows: [fieldsOf(read)], keys, typecast: typecast(read) };
  return { operation: 'records.upsert', parameters };
};

const create: CallOf = (read) => ({
  operation: 'records.create',
  parameters: { ...table(read), fields: fieldsOf(read), typecast: typecast(read) },
});

const list: CallOf = (read) => {
  const isAll = read.get('returnAll') !== false;
  return {
    operation: 'records.list',
    parameters: {
      ...table(read),
      formula: read.text('filterByFormula', 'additionalOptions.filterByFormula'),
      view: read.text('options.view', 'additionalOptions.view'),
      ...(isAll ? { allPages: true } : { limit: read.value('limit') }),
    },
    path: isAll ? '.body' : '.body.records',
    isList: true,
  };
};

const get: CallOf = (read) => ({ operation: 'records.get', parameters: { ...table(read), record: read.text('id') } });
const remove: CallOf = (read) => ({
  operation: 'records.delete',
  parameters: { ...table(read), record: read.text('id') },
});

const records = service({
  connector: 'airtable',
  name: 'Airtable',
  resource: 'record',
  operation: { record: 'get', base: 'getMany' },
  calls: {
    'record.get': get,
    'record.read': get,
    'record.search': list,
    'record.list': list,
    'record.create': create,
    'record.append': create,
    'record.update': update,
    'record.upsert': upsert,
    'record.deleteRecord': remove,
    'record.delete': remove,
    'base.getMany': listed('bases.list', 'bases'),
    'base.getSchema': (read) => ({
      operation: 'tables.list',
      parameters: { base: read.text('base') },
      path: '.body.tables',
      isList: true,
    }),
  },
});

/** The second version of n8n's node has the fields of a record beside its id. */
export const airtable: Convert = (conversion): Piece => {
  const piece = records(conversion);
  const { resource = 'record', operation } = conversion.node.parameters;
  const isFlat = conversion.node.version >= 2 && resource === 'record' && operation !== 'deleteRecord';
  return isFlat && conversion.outcome !== 'placeholder' ? reshaped(piece, '$merge([$, $.fields])') : piece;
};

/** A row of Supabase. */
const row = (read: Reader): unknown => {
  const entered = read.pairs('fieldsUi.fieldValues', 'fieldId', 'fieldValue');
  return entered ?? read.item;
};

/** A condition of Supabase as it is written in an address: `status=eq.open`. */
const CONDITION = /^([A-Za-z_][\w>-]{0,100})=((?:not\.)?[a-z]{2,10}\.[^]*)$/;

/** Conditions that are written as in an address. */
function writtenConditions(read: Reader): Record<string, unknown> | undefined {
  const text = read.text('filterString');
  const parts = (text ?? '').split('&').map((part) => CONDITION.exec(part.trim()));
  const entries = parts.flatMap((found) => (found?.[1] && found[2] ? [[found[1], found[2]] as const] : []));
  if (entries.length < parts.length || new Set(entries.map(([name]) => name)).size < entries.length) {
    read.todo('Write its conditions as filters.');
    return undefined;
  }
  return Object.fromEntries(entries);
}

/** Conditions of Supabase: `eq.5`. */
function conditionsOf(read: Reader): Record<string, unknown> | undefined {
  if (read.get('filterType') === 'none') return undefined;
  if (read.get('filterType') === 'string') return writtenConditions(read);
  if (read.get('matchType') === 'anyFilter' && read.rows('filters.conditions').length > 1)
    read.todo('Its conditions apply together here.');
  const entries = read.rows('filters.conditions').flatMap(({ keyName, condition = 'eq', keyValue }) => {
    const name = chosen(keyName);
    if (typeof name !== 'string' || name === '' || name === '__proto__' || isExpression(name)) return [];
    return [[plain(name), `${String(condition)}.${textOf(keyValue, read.expressions) ?? ''}`] as const];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

const conditions = (read: Reader) => ({ table: read.text('tableId'), filters: conditionsOf(read) });

export const supabase = service({
  connector: 'supabase',
  name: 'Supabase',
  operation: 'create',
  calls: {
    create: (read) => ({
      operation: 'rows.insert',
      parameters: { table: read.text('tableId'), row: row(read) },
      isList: true,
    }),
    getAll: (read) => ({
      operation: 'rows.list',
      parameters: { ...conditions(read), limit: read.isSet('returnAll') ? undefined : read.value('limit') },
      isList: true,
    }),
    get: (read) => ({
      operation: 'rows.list',
      parameters: { ...conditions(read), limit: 1 },
      isList: true,
    }),
    update: (read) => ({ operation: 'rows.update', parameters: { ...conditions(read), row: row(read) }, isList: true }),
    delete: (read) => ({ operation: 'rows.delete', parameters: conditions(read), isList: true }),
  },
});
