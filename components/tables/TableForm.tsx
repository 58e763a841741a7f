import { Alert, Button, FileButton, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { ColumnFields, columnRequestBody, createColumnDraft, type ColumnDraft } from './ColumnFields';
import { CsvFields } from './CsvFields';
import { proposeEncoding, sampleColumns, type CsvFormatChoices } from './csv-sample';
import { ImportReport, importCsvRows, type RowImportState } from './ImportReport';
import type { TableDetails } from './types';

interface Props {
  /** Undefined: a new table. */
  table?: TableDetails;
  onDone(id: string): void;
  onClose(): void;
}

const initialColumnDrafts = (table: TableDetails | undefined): ColumnDraft[] =>
  table ? table.columns.map((column) => createColumnDraft(column)) : [createColumnDraft()];

/** The state of the form, and how it is saved. `onDone` is that of the form's props. */
function useTableForm(table: TableDetails | undefined, onDone: Props['onDone']) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const [name, setName] = useState(table?.name ?? '');
  const [columns, setColumns] = useState(() => initialColumnDrafts(table));
  const [file, setFile] = useState<File>();
  const [choices, setChoices] = useState<CsvFormatChoices>({});
  const [fault, setFault] = useState<string>();
  const [isImporting, setIsImporting] = useState(false);
  const [report, setReport] = useState<{ id: string; outcome: RowImportState }>();
  const create = useMutation(trpc.tables.create.mutationOptions());
  const update = useMutation(trpc.tables.update.mutationOptions());

  const readFile = async (chosen: File, choice: CsvFormatChoices) => {
    setFile(chosen);
    setChoices(choice);
    const sample = await sampleColumns(chosen, choice);
    if ('fault' in sample) return setFault(sample.fault);
    setFault(undefined);
    setColumns(sample.columns.map((column) => createColumnDraft(column)));
  };

  const takeFile = async (chosen: File | null) => {
    if (!chosen) return;
    await readFile(chosen, { encoding: await proposeEncoding(chosen) });
    if (name === '') setName(chosen.name.replace(/\.csv$/i, '').trim());
  };

  const finish = (id: string) => {
    refresh();
    onDone(id);
  };

  const save = async () => {
    const body = { name: name.trim(), columns: columns.map(columnRequestBody) };
    if (table) return finish((await update.mutateAsync({ params: { id: table.id }, body })).id);
    const { id } = await create.mutateAsync({ body });
    if (!file) return finish(id);
    setIsImporting(true);
    const outcome = await importCsvRows(id, file, { ...choices, skips: true });
    if ('result' in outcome && outcome.result.failed.length === 0) return finish(id);
    setReport({ id, outcome });
  };

  return {
    name,
    setName,
    columns,
    setColumns,
    file,
    fault,
    takeFile,
    choices,
    choose: (choice: CsvFormatChoices) => void (file && readFile(file, choice)),
    report,
    finish,
    error: create.error ?? update.error,
    isBusy: create.isPending || update.isPending || isImporting,
    isComplete: name.trim() !== '' && !fault && columns.every((column) => column.name.trim() !== ''),
    removed: table?.columns.filter(({ id }) => !columns.some((column) => column.id === id)) ?? [],
    submit(event: SubmitEvent) {
      event.preventDefault();
      // The fields show why the service refused.
      save().catch(() => undefined);
    },
  };
}

/** Creates a table, also with the columns and rows of a CSV file, or changes the name and the columns of one. */
export function TableForm({ table, onDone, onClose }: Props) {
  const form = useTableForm(table, onDone);
  const { report, removed } = form;
  const { at, elsewhere } = splitFieldErrors(form.error, (field) => field === 'name' || field.startsWith('columns['));

  if (report) {
    return (
      <Modal opened onClose={() => form.finish(report.id)} title="The table is created">
        <ImportReport outcome={report.outcome} />
        <Button mt="md" onClick={() => form.finish(report.id)}>
          Open the table
        </Button>
      </Modal>
    );
  }

  return (
    <Modal opened onClose={onClose} size="xl" title={table ? 'Name and columns' : 'New table'}>
      <form onSubmit={form.submit}>
        <Stack>
          <FormErrorAlert>{form.fault ?? elsewhere}</FormErrorAlert>
          {!table && <CsvFileChoice file={form.file} onChoose={(chosen) => void form.takeFile(chosen)} />}
          {!table && form.file && <CsvFields choices={form.choices} onChange={form.choose} />}
          <TextInput
            label="Name"
            required
            placeholder="Customers"
            maxLength={200}
            autoComplete="off"
            data-autofocus
            value={form.name}
            error={at.get('name')}
            onChange={(event) => form.setName(event.currentTarget.value)}
          />
          <ColumnFields columns={form.columns} errors={at} onChange={form.setColumns} />
          {removed.length > 0 && (
            <Alert color="madder">
              Removed with all their values: {removed.map((column) => column.name).join(', ')}. You can’t undo this.
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={form.isBusy} disabled={!form.isComplete}>
              {table ? 'Save' : 'Create'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function CsvFileChoice({ file, onChoose }: { file: File | undefined; onChoose(file: File | null): void }) {
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed" flex={1} miw={200}>
        {file
          ? `${file.name} is imported into the new table. Check its columns.`
          : 'Columns can also come from a file.'}
      </Text>
      <FileButton accept=".csv,text/csv" onChange={onChoose}>
        {(props) => (
          <Button {...props} variant="default" leftSection={<IconFileImport size={16} aria-hidden />}>
            Choose a CSV file
          </Button>
        )}
      </FileButton>
    </Group>
  );
}
