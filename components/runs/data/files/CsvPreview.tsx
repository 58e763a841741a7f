import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { decodeTextFile } from '@/components/client/text-file';
import { UniqueColumnNames, CsvReader } from '@/contract/tables/csv-reader';
import { JsonView } from '@/components/ui/values/JsonView';
import { DataTable, type DataTableState } from '../table/DataTable';

const MAX_PREVIEW_ROWS = 10_000;

/** The rows of a CSV file as a table; its first line names the columns. */
export function CsvPreview({ id, content, name }: { id: string; content: Blob; name: string }) {
  const [state, setState] = useState<DataTableState>({ query: { text: '', order: undefined }, hidden: undefined });
  const { data, error } = useQuery({
    queryKey: ['csv', id],
    queryFn: async () => readPreviewRows(await decodeTextFile(content)),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  if (error)
    return (
      <Text size="xs" c="red" p={8} role="alert">
        The file can’t be read as CSV: {error.message}
      </Text>
    );
  if (!data) return <Skeleton height={120} m={8} />;
  return (
    <div style={{ padding: 8 }}>
      <DataTable
        rows={data.rows}
        columns={data.columns}
        name={name}
        state={state}
        onState={setState}
        renderRow={(row) => <JsonView label="Fields" value={row} />}
      />
      {data.rows.length === MAX_PREVIEW_ROWS && (
        <Text size="xs" c="dimmed">
          These are the first {MAX_PREVIEW_ROWS.toLocaleString('en')} rows.
        </Text>
      )}
    </div>
  );
}

/** Thrown to end the reading of a long file. */
class RowLimitReached extends Error {}

/** The first rows by the names of the columns, whose order objects do not keep. */
function readPreviewRows(text: string): { rows: Record<string, unknown>[]; columns: string[] } {
  const rows: Record<string, unknown>[] = [];
  let columns: UniqueColumnNames | undefined;
  const reader = new CsvReader({}, (record) => {
    if (!columns) {
      columns = new UniqueColumnNames(record);
      return;
    }
    const { names } = columns;
    columns.extend(record.cells.length);
    rows.push(Object.fromEntries(names.map((name, index) => [name, record.cells[index]])));
    if (rows.length === MAX_PREVIEW_ROWS) throw new RowLimitReached();
  });
  try {
    reader.write(text);
    reader.end();
  } catch (error) {
    if (!(error instanceof RowLimitReached)) throw error;
  }
  return { rows, columns: columns?.names ?? [] };
}
