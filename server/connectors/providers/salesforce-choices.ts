import type { ColumnValueType } from '@/contract/choices';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ColumnPaths, ConnectorChoiceSource, OperationChoiceSource } from '../choices';

// https://developer.salesforce.com/docs/atlas.en-us.object_reference.meta/object_reference/field_types.htm
const SALESFORCE_TYPES: Readonly<Record<string, ColumnValueType | null>> = {
  boolean: 'boolean',
  int: 'number',
  long: 'number',
  double: 'number',
  currency: 'number',
  percent: 'number',
  date: 'date',
  datetime: 'timestamp',
  picklist: 'options',
  address: null,
  location: null,
};

const salesforceFields: OperationChoiceSource = {
  operation: 'objects.describe',
  items: 'fields',
  parametersFrom: { object: 'object' },
  value: 'name',
  label: ['label'],
  hint: 'name',
};

const salesforceColumn: ColumnPaths = {
  type: 'type',
  types: SALESFORCE_TYPES,
  options: { at: ['picklistValues'], value: 'value', label: ['label'] },
};

/** What lists the choices of Salesforce. https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest */
export const salesforceChoices: Record<string, ConnectorChoiceSource> = {
  objects: {
    operation: 'objects.list',
    value: 'name',
    label: ['label'],
    hint: 'name',
    where: { at: 'queryable', is: [true] },
  },
  key_fields: { ...salesforceFields, where: { at: 'idLookup', is: [true] } },
  columns: {
    ...salesforceFields,
    where: { at: 'createable', is: [true] },
    column: { ...salesforceColumn, isRequired: { unless: ['nillable', 'defaultedOnCreate'] } },
  },
  changed_columns: { ...salesforceFields, where: { at: 'updateable', is: [true] }, column: salesforceColumn },
  records: {
    dependsOn: ['object'],
    searches: true,
    // Every object names its records by a field of its own.
    *steps({ values: { object = '' }, search }) {
      const described = yield { path: `/sobjects/${encodeURIComponent(object)}/describe` };
      const fields = getAtPath(described.body, 'fields');
      const named = (Array.isArray(fields) ? (fields as unknown[]) : []).find(
        (field) => getAtPath(field, 'nameField') === true,
      );
      const name = String(getAtPath(named, 'name') ?? 'Id');
      const text = search.replaceAll(/[\\'%_]/g, '\\$&');
      const where = search === '' || name === 'Id' ? '' : ` WHERE ${name} LIKE '%${text}%'`;
      const fieldList = name === 'Id' ? 'Id' : `Id, ${name}`;
      // The name of the object is one that describes itself: it holds no other SOQL.
      const soql = `SELECT ${fieldList} FROM ${String(getAtPath(described.body, 'name'))}${where} LIMIT 100`;
      const records = getAtPath((yield { path: '/query', query: { q: soql } }).body, 'records');
      const items = (Array.isArray(records) ? (records as unknown[]) : []).map((record) => ({
        id: getAtPath(record, 'Id'),
        name: getAtPath(record, name),
      }));
      return { items };
    },
    value: 'id',
    label: ['name'],
  },
};
