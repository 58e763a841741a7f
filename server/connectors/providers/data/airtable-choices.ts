import type { ColumnValueType } from '@/contract/choices';
import type { ConnectorChoiceSource, OperationChoiceSource } from '../../choices';
import { airtableTablePath } from './airtable-parameters';

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
  id?: string;
  name?: string;
  primaryFieldId?: string;
  fields?: { id?: string; name?: string; type?: string }[];
}

interface AirtableRecord {
  id?: string;
  createdTime?: string;
  fields?: Record<string, unknown>;
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
  records: {
    dependsOn: ['base', 'table'],
    searches: true,
    // https://airtable.com/developers/web/api/list-records: a record is called as its primary field says.
    *steps({ values: { base = '', table = '' }, search, page }) {
      const { body } = yield { path: `/meta/bases/${encodeURIComponent(base)}/tables` };
      const { tables = [] } = body as { tables?: AirtableTable[] };
      const found = tables.find(({ id, name }) => id === table || name === table);
      const primary = found?.fields?.find(({ id }) => id === found.primaryFieldId)?.name;
      if (primary === undefined) return { items: [] };
      const text = search.replaceAll(/["\\]/g, '\\$&');
      const query = {
        pageSize: 100,
        offset: page ?? undefined,
        'fields[]': primary,
        filterByFormula: search === '' ? undefined : `SEARCH(LOWER("${text}"), LOWER({${primary}} & ""))`,
      };
      const listed = yield { path: airtableTablePath(base, table), query };
      const { records = [], offset } = listed.body as { records?: AirtableRecord[]; offset?: string };
      const items = records.map(({ id, createdTime, fields }) => ({ id, createdTime, name: fields?.[primary] }));
      return { items, next: offset ?? null };
    },
    value: 'id',
    label: ['name'],
    hint: 'id',
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
