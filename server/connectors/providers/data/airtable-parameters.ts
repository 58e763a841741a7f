import type { ConnectorPaging, OperationSteps } from '../../operation';
import { booleanParameter, columnsParameter, listedLineParameter, someColumnsParameter } from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

// https://airtable.com/developers/web/api/list-records
export const airtableTokenPaging: ConnectorPaging = { kind: 'token', at: 'offset', query: 'offset' };
export const airtableBaseId = listedLineParameter('Base', 'bases').describe(
  'Id of the base, e.g. appLkNDICXNqxSDhG; it is in its address',
);
export const airtableTableName = listedLineParameter('Table', 'tables', ['base']).describe('Name or id of the table');
/** The parameters that name a table. */
export const AIRTABLE_TABLE_FIELDS = ['base', 'table'] as const;
export const airtableRecordId = listedLineParameter('Record', 'records', AIRTABLE_TABLE_FIELDS).describe(
  'Id of the record, e.g. rec560UJdUtocSouk',
);
export const airtableTypecastFlag = booleanParameter('Convert texts')
  .optional()
  .describe('Airtable converts texts to the type of the field');
export const airtableFieldValues = columnsParameter('Fields', 'columns', AIRTABLE_TABLE_FIELDS).describe(
  'Name of a field and its value',
);
export const airtableChangedValues = someColumnsParameter('Fields', 'columns', AIRTABLE_TABLE_FIELDS).describe(
  'Name of a field and its value',
);

// https://airtable.com/developers/web/api/rate-limits
export const airtableRateLimit = '5 calls a second for each base.';
export const airtableRecordExample = {
  id: 'rec560UJdUtocSouk',
  createdTime: '2026-01-31T08:15:30.000Z',
  fields: { Name: 'Ada', Status: 'New' },
};

/** One call accepts at most this many records. */
const MAX_BATCH_RECORDS = 10;
export const splitIntoBatches = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / MAX_BATCH_RECORDS) }, (_, index) =>
    items.slice(index * MAX_BATCH_RECORDS, (index + 1) * MAX_BATCH_RECORDS),
  );

export const airtableTablePath = (inBase: string, inTable: string) =>
  `/${encodeURIComponent(inBase)}/${encodeURIComponent(inTable)}`;

/** Sends records in batches of ten; returns those of all answers. */
export function* sendRecordBatches(
  method: 'POST' | 'PATCH',
  path: string,
  records: readonly Record<string, unknown>[],
  others: Record<string, unknown>,
): OperationSteps {
  const all: unknown[] = [];
  for (const batch of splitIntoBatches(records)) {
    const { body } = yield { method, path, body: { as: 'json', value: { records: batch, ...others } } };
    const answered = getAtPath(body, 'records');
    if (Array.isArray(answered)) all.push(...(answered as unknown[]));
  }
  return { records: all };
}
