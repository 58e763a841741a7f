import { type ConvertedCall, parameterText, type NodeConverter } from '../../conversion';
import { isN8nExpression, escapeBraces } from '../../n8n-expressions';
import { chosenListValue } from '../http';
import { pagedListCall, serviceConverter, type ConnectorCallBuilder, type ParameterReader } from './service';

const airtableTable = (read: ParameterReader) => ({
  base: read.text('base', 'baseId', 'application'),
  table: read.text('table'),
});

/** The fields of a record: those that are entered, or those of the item that comes in. */
function airtableFields(read: ParameterReader): unknown {
  const { id: _, ...entered } = read.fields('columns.value');
  if (Object.keys(entered).length > 0) return entered;
  const names = [read.get('fields')].flat().filter((name) => typeof name === 'string' && name !== '');
  if (names.length > 0) read.addTodo(`Enter the fields that it stores: ${names.slice(0, 10).join(', ')}.`);
  return read.item;
}

/** The fields by which records are found; undefined: by their id. */
const airtableMatchKeys = (read: ParameterReader): string[] | undefined => {
  const given = read.get('columns.matchingColumns');
  const keys = Array.isArray(given) ? given.filter((key) => typeof key === 'string' && !isN8nExpression(key)) : [];
  return keys.length === 0 || keys.includes('id') ? undefined : keys.map((key) => escapeBraces(String(key)));
};

const airtableTypecast = (read: ParameterReader) => read.value('options.typecast');

const updateAirtableRecord: ConnectorCallBuilder = (read) => {
  const keys = airtableMatchKeys(read);
  const fields = airtableFields(read);
  if (keys) {
    read.conversion.addRemark('It adds a record if there is none.');
    return {
      operation: 'records.upsert',
      parameters: { ...airtableTable(read), rows: [fields], keys, typecast: airtableTypecast(read) },
    };
  }
  const record = read.text('columns.value.id', 'id') ?? '{{ $json.id }}';
  return {
    operation: 'records.update',
    parameters: { ...airtableTable(read), record, fields, typecast: airtableTypecast(read) },
  };
};

const upsertAirtableRecord: ConnectorCallBuilder = (read) => {
  const keys = airtableMatchKeys(read);
  if (!keys) return updateAirtableRecord(read);
  const parameters = { ...airtableTable(read), rows: [airtableFields(read)], keys, typecast: airtableTypecast(read) };
  return { operation: 'records.upsert', parameters };
};

const createAirtableRecord: ConnectorCallBuilder = (read) => ({
  operation: 'records.create',
  parameters: { ...airtableTable(read), fields: airtableFields(read), typecast: airtableTypecast(read) },
});

const listAirtableRecords: ConnectorCallBuilder = (read) => {
  const isAll = read.get('returnAll') !== false;
  return {
    operation: 'records.list',
    parameters: {
      ...airtableTable(read),
      formula: read.text('filterByFormula', 'additionalOptions.filterByFormula'),
      view: read.text('options.view', 'additionalOptions.view'),
      ...(isAll ? { allPages: true } : { limit: read.value('limit') }),
    },
    path: isAll ? '.body' : '.body.records',
    isList: true,
  };
};

const getAirtableRecord: ConnectorCallBuilder = (read) => ({
  operation: 'records.get',
  parameters: { ...airtableTable(read), record: read.text('id') },
});
const deleteAirtableRecord: ConnectorCallBuilder = (read) => ({
  operation: 'records.delete',
  parameters: { ...airtableTable(read), record: read.text('id') },
});

const convertAirtableRecord = serviceConverter({
  connector: 'airtable',
  name: 'Airtable',
  resource: 'record',
  operation: { record: 'get', base: 'getMany' },
  calls: {
    'record.get': getAirtableRecord,
    'record.read': getAirtableRecord,
    'record.search': listAirtableRecords,
    'record.list': listAirtableRecords,
    'record.create': createAirtableRecord,
    'record.append': createAirtableRecord,
    'record.update': updateAirtableRecord,
    'record.upsert': upsertAirtableRecord,
    'record.deleteRecord': deleteAirtableRecord,
    'record.delete': deleteAirtableRecord,
    'base.getMany': pagedListCall('bases.list', 'bases'),
    'base.getSchema': (read) => ({
      operation: 'tables.list',
      parameters: { base: read.text('base') },
      path: '.body.tables',
      isList: true,
    }),
  },
});

/** The second version of n8n's node has the fields of a record beside its id. */
export const convertAirtable: NodeConverter = (conversion): ConvertedCall => {
  const piece = convertAirtableRecord(conversion);
  const { resource = 'record', operation } = conversion.node.parameters;
  const isFlat = conversion.node.version >= 2 && resource === 'record' && operation !== 'deleteRecord';
  return isFlat && conversion.outcome !== 'placeholder'
    ? { ...piece, shape: '(row) => ({ ...row, ...row?.fields })' }
    : piece;
};

/** A row of Supabase. */
const supabaseRow = (read: ParameterReader): unknown => {
  const entered = read.pairs('fieldsUi.fieldValues', 'fieldId', 'fieldValue');
  return entered ?? read.item;
};

/** A condition of Supabase as it is written in an address: `status=eq.open`. */
const SUPABASE_CONDITION = /^([A-Za-z_][\w>-]{0,100})=((?:not\.)?[a-z]{2,10}\.[^]*)$/;

/** Conditions that are written as in an address. */
function parseWrittenConditions(read: ParameterReader): Record<string, unknown> | undefined {
  const text = read.text('filterString');
  const parts = (text ?? '').split('&').map((part) => SUPABASE_CONDITION.exec(part.trim()));
  const entries = parts.flatMap((found) => (found?.[1] && found[2] ? [[found[1], found[2]] as const] : []));
  if (entries.length < parts.length || new Set(entries.map(([name]) => name)).size < entries.length) {
    read.addTodo('Write its conditions as filters.');
    return undefined;
  }
  return Object.fromEntries(entries);
}

/** Conditions of Supabase: `eq.5`. */
function supabaseConditions(read: ParameterReader): Record<string, unknown> | undefined {
  if (read.get('filterType') === 'none') return undefined;
  if (read.get('filterType') === 'string') return parseWrittenConditions(read);
  if (read.get('matchType') === 'anyFilter' && read.rows('filters.conditions').length > 1)
    read.addTodo('Its conditions apply together here.');
  const entries = read.rows('filters.conditions').flatMap(({ keyName, condition = 'eq', keyValue }) => {
    const name = chosenListValue(keyName);
    if (typeof name !== 'string' || name === '' || name === '__proto__' || isN8nExpression(name)) return [];
    return [[escapeBraces(name), `${String(condition)}.${parameterText(keyValue, read.expressions) ?? ''}`] as const];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

const supabaseTableFilter = (read: ParameterReader) => ({
  table: read.text('tableId'),
  filters: supabaseConditions(read),
});

export const convertSupabase = serviceConverter({
  connector: 'supabase',
  name: 'Supabase',
  operation: 'create',
  calls: {
    create: (read) => ({
      operation: 'rows.insert',
      parameters: { table: read.text('tableId'), row: supabaseRow(read) },
      isList: true,
    }),
    getAll: (read) => ({
      operation: 'rows.list',
      parameters: { ...supabaseTableFilter(read), limit: read.isSet('returnAll') ? undefined : read.value('limit') },
      isList: true,
    }),
    get: (read) => ({
      operation: 'rows.list',
      parameters: { ...supabaseTableFilter(read), limit: 1 },
      isList: true,
    }),
    update: (read) => ({
      operation: 'rows.update',
      parameters: { ...supabaseTableFilter(read), row: supabaseRow(read) },
      isList: true,
    }),
    delete: (read) => ({ operation: 'rows.delete', parameters: supabaseTableFilter(read), isList: true }),
  },
});
