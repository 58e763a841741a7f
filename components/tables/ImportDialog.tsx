import { Button, Checkbox, FileInput, Group, Modal, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { CsvFields } from './CsvFields';
import { proposeEncoding, type CsvFormatChoices } from './csv-sample';
import { ImportReport, importCsvRows, type RowImportState } from './ImportReport';
import type { TableDetails } from './types';

/** Imports a CSV file into a table, and reports what did not fit. */
export function ImportDialog({ table, onClose }: { table: TableDetails; onClose(): void }) {
  const refresh = useInvalidateQueries();
  const [file, setFile] = useState<File | null>(null);
  const [choices, setChoices] = useState<CsvFormatChoices>({});
  const [skips, setSkips] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [outcome, setOutcome] = useState<RowImportState>();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!file) return;
    setIsBusy(true);
    setOutcome(undefined);
    void importCsvRows(table.id, file, { ...choices, skips }).then((result) => {
      setIsBusy(false);
      setOutcome(result);
      refresh();
    });
  };
  return (
    <Modal opened onClose={onClose} title="Import CSV">
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm" c="dimmed">
            The first row that is not empty names columns of this table. Times without a zone are UTC.
          </Text>
          <FileInput
            label="File"
            required
            placeholder="Choose a CSV file"
            accept=".csv,text/csv"
            value={file}
            data-autofocus
            onChange={(chosen) => {
              setFile(chosen);
              setOutcome(undefined);
              if (chosen) void proposeEncoding(chosen).then((encoding) => setChoices({ encoding }));
            }}
          />
          {file && <CsvFields choices={choices} onChange={setChoices} />}
          <Checkbox
            label="Skip invalid lines"
            description="Otherwise one invalid line stops the import, and nothing changes."
            checked={skips}
            onChange={(event) => setSkips(event.currentTarget.checked)}
          />
          {outcome && <ImportReport outcome={outcome} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {outcome ? 'Done' : 'Cancel'}
            </Button>
            <Button type="submit" loading={isBusy} disabled={!file}>
              Import
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
