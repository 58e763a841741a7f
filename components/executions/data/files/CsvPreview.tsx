import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DataTable, type TableState } from '../table/DataTable';

const MOST_ROWS = 10_000;

/** The rows of a CSV file as a table; its first line names the columns. */
export function CsvPreview({ id, content, name }: { id: string; content: Blob; name: string }) {
  const [state, setState] = useState<TableState>({ query: { text: '', order: undefined }, hidden: undefined });
  const { data, error } = useQuery({
    queryKey: ['csv', id],
    queryFn: async () => rowsIn(await content.text()),
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
      <DataTable rows={data} name={name} state={state} onState={setState} />
      {data.length === MOST_ROWS && (
        <Text size="xs" c="dimmed">
          These are the first {MOST_ROWS.toLocaleString('en')} rows.
        </Text>
      )}
    </div>
  );
}

/** The separator that the first line has most of. */
const separatorIn = (text: string): string => {
  const [line = ''] = text.split('\n', 1);
  const counts = [',', ';', '\t'].map((separator) => ({ separator, count: line.split(separator).length }));
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).separator;
};

async function rowsIn(text: string): Promise<Record<string, unknown>[]> {
  const { parse } = await import('csv-parse/browser/esm/sync');
  return parse(text, {
    bom: true,
    columns: true,
    delimiter: separatorIn(text),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    to: MOST_ROWS,
  });
}
