import { NodeFailure } from '@/server/platform/errors/node-failure';
import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import {
  contentLineParameter,
  fileParameter,
  jsonListParameter,
  listedLineListParameter,
  listedLineParameter,
  timeParameter,
} from '../../parameters';
import {
  AIRTABLE_TABLE_FIELDS,
  airtableBaseId,
  airtableRateLimit,
  airtableRecordExample,
  airtableRecordId,
  airtableTableName,
  airtableTablePath,
  airtableTypecastFlag,
  sendRecordBatches,
  splitIntoBatches,
} from './airtable-parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

const inTable = { base: airtableBaseId, table: airtableTableName };

/** A text of a formula. https://support.airtable.com/docs/formula-field-reference */
const formulaText = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

function airtableFieldReference(name: string): string {
  if (!/[{}]/.test(name)) return `{${name}}`;
  throw new NodeFailure('CONFIG', `The name of the field "${name}" must not contain { or }.`, false);
}

/** Operations of Airtable with several records, changes and attachments. https://airtable.com/developers/web/api */
export const airtableRecordOperations: OperationDefinition[] = [
  defineSteppedOperation({
    id: 'records.find',
    title: 'Find records by a value',
    help: 'Records whose field has exactly this value as a text; at most 100.',
    limits: airtableRateLimit,
    parameters: {
      ...inTable,
      field: listedLineParameter('Field', 'fields', AIRTABLE_TABLE_FIELDS).describe('Name of the field'),
      value: contentLineParameter('Value', 4000).describe('As Airtable shows it'),
    },
    *steps({ base, table, field, value }) {
      const filterByFormula = `${airtableFieldReference(field)} & "" = ${formulaText(value)}`;
      return (yield { path: airtableTablePath(base, table), query: { filterByFormula, pageSize: 100 } }).body;
    },
    example: { records: [airtableRecordExample] },
  }),
  defineSteppedOperation({
    id: 'records.list_changed',
    title: 'List changed records',
    help: 'Needs a field of the type "Last modified time" or "Created time". Oldest first, from a time on.',
    limits: airtableRateLimit,
    parameters: {
      ...inTable,
      timeField: listedLineParameter('Field with the time', 'timeFields', AIRTABLE_TABLE_FIELDS).describe(
        'Name of a field, e.g. Last modified',
      ),
      since: timeParameter('Since').optional(),
    },
    *steps({ base, table, timeField, since }) {
      const reference = airtableFieldReference(timeField);
      // Without a time only the newest record is asked for: it is where the next call begins.
      const filter =
        since === undefined
          ? { maxRecords: 1 }
          : { filterByFormula: `NOT(IS_BEFORE(${reference}, ${formulaText(since)}))` };
      const order = { 'sort[0][field]': timeField, 'sort[0][direction]': since === undefined ? 'desc' : 'asc' };
      const found: unknown[] = [];
      let offset: unknown;
      do {
        const query = { ...filter, ...order, pageSize: 100, offset };
        const { body } = yield { path: airtableTablePath(base, table), query };
        const records = getAtPath(body, 'records');
        if (Array.isArray(records)) found.push(...(records as unknown[]));
        offset = getAtPath(body, 'offset');
      } while (typeof offset === 'string' && since !== undefined);
      return found.map((record) => {
        const { fields } = record as { fields?: Record<string, unknown> };
        const changedAt = fields !== undefined && Object.hasOwn(fields, timeField) ? fields[timeField] : undefined;
        return { ...(record as object), changedAt: changedAt ?? getAtPath(record, 'createdTime') };
      });
    },
    example: [{ ...airtableRecordExample, changedAt: '2026-01-31T08:20:00.000Z' }],
    poll: {
      title: 'New or changed record',
      words: 'airtable trigger row record updated modified',
      parameters: { since: '{{ cursor }}' },
      items: 'input.body',
      key: 'item.id & " " & item.changedAt',
      cursor: '$sort(input.body.changedAt)[-1]',
    },
  }),
  defineSteppedOperation({
    id: 'records.update_many',
    title: 'Update records',
    help: 'Changes the fields that are given, in calls of ten records each.',
    limits: airtableRateLimit,
    parameters: {
      ...inTable,
      rows: jsonListParameter('Records', 1000).describe('Objects {"id": "rec…", "fields": {…}}'),
      typecast: airtableTypecastFlag,
    },
    // https://airtable.com/developers/web/api/update-multiple-records
    *steps({ base, table, rows, typecast }) {
      const records = rows.map(({ id, fields }) => ({ id, fields }));
      const missing = records.findIndex(({ id }) => typeof id !== 'string' || id === '');
      if (missing >= 0) throw new NodeFailure('CONFIG', `parameters.rows.${missing}: the record has no "id".`, false);
      return yield* sendRecordBatches('PATCH', airtableTablePath(base, table), records, { typecast });
    },
    example: { records: [airtableRecordExample] },
  }),
  defineSteppedOperation({
    id: 'records.delete_many',
    title: 'Delete records',
    help: 'In calls of ten records each.',
    limits: airtableRateLimit,
    parameters: {
      ...inTable,
      records: listedLineListParameter('Records', 'records', AIRTABLE_TABLE_FIELDS).describe('Ids of records'),
    },
    *steps({ base, table, records }) {
      const deleted: unknown[] = [];
      for (const batch of splitIntoBatches(records)) {
        const query = `?${batch.map((id) => `records[]=${encodeURIComponent(id)}`).join('&')}`;
        const { body } = yield { method: 'DELETE', path: `${airtableTablePath(base, table)}${query}` };
        const answered = getAtPath(body, 'records');
        if (Array.isArray(answered)) deleted.push(...(answered as unknown[]));
      }
      return { records: deleted };
    },
    example: { records: [{ id: 'rec560UJdUtocSouk', deleted: true }] },
  }),
  defineSteppedOperation({
    id: 'attachments.add',
    title: 'Attach a file to a record',
    help: 'A file of the run of at most 5 MB; files that the field has stay.',
    limits: airtableRateLimit,
    parameters: {
      base: airtableBaseId,
      table: airtableTableName.optional().describe('Only to pick the record'),
      record: airtableRecordId,
      field: listedLineParameter('Field', 'attachmentFields', ['base']).describe(
        'Name or id of a field for attachments',
      ),
      file: fileParameter('File'),
    },
    // https://airtable.com/developers/web/api/upload-attachment
    *steps({ base, record, field, file }) {
      const start = JSON.stringify({ contentType: file.contentType, filename: file.name }).slice(0, -1);
      const path = `/${[base, record, field].map(encodeURIComponent).join('/')}/uploadAttachment`;
      const pieces = [`${start},"file":"`, { file, isBase64: true as const }, '"}'];
      const body = { as: 'pieces' as const, type: 'application/json', pieces };
      return (yield { method: 'POST', path, api: 'content', body }).body;
    },
    example: {
      id: 'rec560UJdUtocSouk',
      fields: { fld1VnoyuotSTyxW1: [{ id: 'attRDHyqI1EhwSBZc', filename: 'report.pdf' }] },
    },
  }),
];
