import { Alert, Button, FileButton, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { fieldErrorsOf } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useRefresh } from '@/components/client/useRefresh';
import { ErrorNote } from '@/components/ui/states/ErrorNote';
import { ColumnFields, columnBody, columnDraft, type ColumnDraft } from './ColumnFields';
import { CsvFields } from './CsvFields';
import { proposedEncoding, sampleColumns, type CsvChoices } from './csv-sample';
import { ImportReport, importRows, type ImportOutcome } from './ImportReport';
import type { ShownTable } from './types';

interface Props {
  /** Undefined: a new table. */
  table?: ShownTable;
  onDone(id: string): void;
  onClose(): void;
}

const draftsOf = (table: ShownTable | undefined): ColumnDraft[] =>
  table ? table.columns.map((column) => columnDraft(column)) : [columnDraft()];

/** What is edited, and how it is saved. `onDone` as in the props of the form. */
function useTableForm(table: ShownTable | undefined, onDone: Props['onDone']) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [name, setName] = useState(table?.name ?? '');
  const [columns, setColumns] = useState(() => draftsOf(table));
  const [file, setFile] = useState<File>();
  const [choices, setChoices] = useState<CsvChoices>({});
  const [fault, setFault] = useState<string>();
  const [isImporting, setIsImporting] = useState(false);
  const [report, setReport] = useState<{ id: string; outcome: ImportOutcome }>();
  const create = useMutation(trpc.tables.create.mutationOptions());
  const update = useMutation(trpc.tables.update.mutationOptions());

  const readFile = async (chosen: File, choice: CsvChoices) => {
    setFile(chosen);
    setChoices(choice);
    const sample = await sampleColumns(chosen, choice);
    if ('fault' in sample) return setFault(sample.fault);
    setFault(undefined);
    setColumns(sample.columns.map((column) => columnDraft(column)));
  };

  const takeFile = async (chosen: File | null) => {
    if (!chosen) return;
    await readFile(chosen, { encoding: await proposedEncoding(chosen) });
    if (name === '') setName(chosen.name.replace(/\.csv$/i, '').trim());
  };

  const finish = (id: string) => {
    refresh();
    onDone(id);
  };

  const save = async () => {
    const body = { name: name.trim(), columns: columns.map(columnBody) };
    if (table) return finish((await update.mutateAsync({ params: { id: table.id }, body })).id);
    const { id } = await create.mutateAsync({ body });
    if (!file) return finish(id);
    setIsImporting(true);
    const outcome = await importRows(id, file, { ...choices, skips: true });
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
    choose: (choice: CsvChoices) => void (file && readFile(file, choice)),
    report,
    finish,
    error: create.error ?? update.error,
    isBusy: create.isPending || update.isPending || isImporting,
    isComplete: name.trim() !== '' && !fault && columns.every((column) => column.name.trim() !== ''),
    removed: table?.columns.filter(({ id }) => !columns.some((column) => column.id === id)) ?? [],
    submit(event: SubmitEvent) {
      event.preventDefault();
      // Refusals are shown by the fields.
      save().catch(() => undefined);
    },
  };
}

/** Creates a table, also with the columns and rows of a CSV file, or changes the name and the columns of one. */
export function TableForm({ table, onDone, onClose }: Props) {
  const form = useTableForm(table, onDone);
  const { report, removed } = form;
  const { at, elsewhere } = fieldErrorsOf(form.error, (field) => field === 'name' || field.startsWith('columns['));

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
          <ErrorNote>{form.fault ?? elsewhere}</ErrorNote>
          {!table && <FileChoice file={form.file} onChoose={(chosen) => void form.takeFile(chosen)} />}
          {!table && form.file && <CsvFields choices={form.choices} onChange={form.choose} />}
          <TextInput
            label="Name"
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

function FileChoice({ file, onChoose }: { file: File | undefined; onChoose(file: File | null): void }) {
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
