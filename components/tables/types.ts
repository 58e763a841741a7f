import type { Table, TableRow } from '@/contract/tables/table';
import type { ColumnType } from '@/contract/tables/table-columns';

export type ShownTable = Table;
export type ShownRow = TableRow;
export type ShownColumn = Table['columns'][number];

export const TYPE_LABELS: Record<ColumnType, string> = {
  text: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
  timestamp: 'Time',
  json: 'JSON',
};
