import type { TableResponse, StoredTableRow } from '@/contract/tables/table';
import type { TableColumnType } from '@/contract/tables/table-columns';

export type TableDetails = TableResponse;
export type TableRowData = StoredTableRow;
export type TableColumnData = TableResponse['columns'][number];

export const COLUMN_TYPE_LABELS: Record<TableColumnType, string> = {
  text: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
  timestamp: 'Time',
  json: 'JSON',
};
