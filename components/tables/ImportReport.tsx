import { Alert, ScrollArea, Stack, Table, Text } from '@mantine/core';
import type { ImportRowsResult } from '@/contract/tables/table';
import { uploadCsvFile } from '@/components/client/files';
import type { CsvFormatChoices } from './csv-sample';

/** The result of an import, or the reason why all of it was refused. */
export type RowImportState = { result: ImportRowsResult } | { fault: string };

/** Imports a file. `skips`: lines that do not fit are left out. */
export async function importCsvRows(
  tableId: string,
  file: File,
  { skips, ...choices }: CsvFormatChoices & { skips: boolean },
): Promise<RowImportState> {
  const query = new URLSearchParams(skips ? { onError: 'skip' } : {});
  for (const [name, value] of Object.entries(choices)) if (value !== undefined) query.set(name, String(value));
  const address = `/api/tables/${encodeURIComponent(tableId)}/rows/import?${query}`;
  try {
    return { result: await uploadCsvFile<ImportRowsResult>(address, file) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'The file could not be sent.' };
  }
}

const formatRowCount = (count: number) => `${count.toLocaleString()} ${count === 1 ? 'row' : 'rows'}`;

/** The result of an import: how many rows, and which lines do not fit. */
export function ImportReport({ outcome }: { outcome: RowImportState }) {
  if ('fault' in outcome) {
    return (
      <Alert color="madder" role="alert" title="Nothing was imported">
        {outcome.fault}
      </Alert>
    );
  }
  const { inserted, failed } = outcome.result;
  return (
    <Stack gap="sm">
      <Text role="status">
        {inserted === 0 && failed.length > 0 ? 'Nothing was imported.' : `${formatRowCount(inserted)} imported.`}
      </Text>
      {failed.length > 0 && (
        <>
          <Text size="sm">These lines of the file are not valid:</Text>
          <ScrollArea.Autosize mah={240}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Line</Table.Th>
                  <Table.Th>Problem</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {failed.slice(0, 100).map(({ line, message }) => (
                  <Table.Tr key={line}>
                    <Table.Td>{line}</Table.Td>
                    <Table.Td>{message}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </ScrollArea.Autosize>
          {failed.length > 100 && <Text size="sm">and {(failed.length - 100).toLocaleString()} more</Text>}
        </>
      )}
    </Stack>
  );
}
