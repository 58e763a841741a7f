import { Alert, ScrollArea, Stack, Table, Text } from '@mantine/core';
import type { ImportResult } from '@/contract/tables/table';
import { sendCsv } from '@/components/client/files';
import type { CsvChoices } from './csv-sample';

/** What an import answered, or why it was refused as a whole. */
export type ImportOutcome = { result: ImportResult } | { fault: string };

/** Imports a file. `skips`: lines that do not fit are left out. */
export async function importRows(
  tableId: string,
  file: File,
  { skips, ...choices }: CsvChoices & { skips: boolean },
): Promise<ImportOutcome> {
  const query = new URLSearchParams(skips ? { onError: 'skip' } : {});
  for (const [name, value] of Object.entries(choices)) if (value !== undefined) query.set(name, String(value));
  const address = `/api/tables/${encodeURIComponent(tableId)}/rows/import?${query}`;
  try {
    return { result: await sendCsv<ImportResult>(address, file) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'The file could not be sent.' };
  }
}

const rows = (count: number) => `${count.toLocaleString()} ${count === 1 ? 'row' : 'rows'}`;

/** The result of an import: how many rows, and which lines do not fit. */
export function ImportReport({ outcome }: { outcome: ImportOutcome }) {
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
        {inserted === 0 && failed.length > 0 ? 'Nothing was imported.' : `${rows(inserted)} imported.`}
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
