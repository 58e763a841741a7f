import type { ColumnValueType } from '@/contract/choices';
import type { ConnectorChoiceSource, OperationChoiceSource } from '../../choices';

// https://airtable.com/developers/web/api/field-model: what is computed cannot be written.
const AIRTABLE_COLUMN_TYPES: Readonly<Record<string, ColumnValueType | null>> = {
  number: 'number',
  currency: 'number',
  percent: 'number',
  duration: 'number',
  rating: 'number',
  checkbox: 'boolean',
  date: 'date',
  dateTime: 'timestamp',
  singleSelect: 'options',
  multipleSelects: 'optionList',
  singleCollaborator: 'json',
  multipleCollaborators: 'json',
  multipleRecordLinks: 'json',
  multipleAttachments: 'json',
  barcode: 'json',
  aiText: null,
  autoNumber: null,
  button: null,
  count: null,
  createdBy: null,
  createdTime: null,
  externalSyncSource: null,
  formula: null,
  lastModifiedBy: null,
  lastModifiedTime: null,
  multipleLookupValues: null,
  rollup: null,
};

const tableFields: OperationChoiceSource = {
  operation: 'tables.list',
  parametersFrom: { base: 'base' },
  within: { field: 'table', by: ['id', 'name'], items: 'fields' },
  value: 'name',
  label: ['name'],
  hint: 'description',
};

interface AirtableTable {
  name?: string;
  fields?: { id?: string; name?: string; type?: string }[];
}

/** What lists parameters of Airtable. */
export const airtableChoices: Record<string, ConnectorChoiceSource> = {
  bases: { operation: 'bases.list', value: 'id', label: ['name'] },
  tables: {
    operation: 'tables.list',
    parametersFrom: { base: 'base' },
    value: 'id',
    label: ['name'],
    hint: 'description',
  },
  fields: tableFields,
  timeFields: {
    ...tableFields,
    where: { at: 'type', is: ['lastModifiedTime', 'createdTime', 'dateTime', 'date'] },
  },
  views: { ...tableFields, within: { field: 'table', by: ['id', 'name'], items: 'views' }, value: 'id', hint: 'type' },
  columns: {
    ...tableFields,
    column: {
      type: 'type',
      types: AIRTABLE_COLUMN_TYPES,
      options: { at: ['options.choices'], value: 'name', label: ['name'] },
    },
  },
  attachmentFields: {
    dependsOn: ['base'],
    *steps({ values: { base = '' } }) {
      const { body } = yield { path: `/meta/bases/${encodeURIComponent(base)}/tables` };
      const { tables = [] } = body as { tables?: AirtableTable[] };
      const items = tables.flatMap(({ name: table, fields = [] }) =>
        fields.filter(({ type }) => type === 'multipleAttachments').map(({ id, name }) => ({ id, name, table })),
      );
      return { items };
    },
    value: 'id',
    label: ['name'],
    hint: 'table',
  },
};
