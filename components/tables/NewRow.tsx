import { Button, Group, Modal, Select, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { BOOLEAN_CELL_OPTIONS, parseCellText } from './cell-text';
import { COLUMN_TYPE_LABELS, type TableDetails } from './types';

const withoutRowPath = (field: string) => field.replace(/^rows\[0\]\./, '');

/** Adds a row: one field for each column. */
export function NewRow({ table, onClose }: { table: TableDetails; onClose(): void }) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const names = new Set(table.columns.map(({ name }) => name));
  const insert = useMutation(
    trpc.rows.insert.mutationOptions({
      onSuccess: () => {
        refresh();
        onClose();
      },
    }),
  );
  const { at, elsewhere } = splitFieldErrors(insert.error, (field) => names.has(withoutRowPath(field)));
  const errors = new Map([...at].map(([field, message]) => [withoutRowPath(field), message]));
  const write = (name: string, text: string) => setTexts(new Map(texts).set(name, text));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const found = new Map<string, string>();
    const row: Record<string, unknown> = {};
    for (const { name, type } of table.columns) {
      const read = parseCellText(type, texts.get(name) ?? '');
      if ('fault' in read) found.set(name, read.fault);
      else if (read.value !== null) row[name] = read.value;
    }
    setFaults(found);
    if (found.size === 0) insert.mutate({ params: { id: table.id }, body: { rows: [row] } });
  };
  return (
    <Modal opened onClose={onClose} title="New row">
      <form onSubmit={submit}>
        <Stack>
          <FormErrorAlert>{elsewhere}</FormErrorAlert>
          {table.columns.length === 0 && <Text size="sm">This table has no columns yet.</Text>}
          {table.columns.map(({ id, name, type, isRequired }, index) => {
            const common = {
              label: name,
              description: COLUMN_TYPE_LABELS[type],
              required: isRequired,
              error: faults.get(name) ?? errors.get(name),
              'data-autofocus': index === 0 || undefined,
            };
            return type === 'boolean' ? (
              <Select
                key={id}
                {...common}
                clearable
                data={BOOLEAN_CELL_OPTIONS}
                value={texts.get(name) ?? null}
                onChange={(value) => write(name, value ?? '')}
              />
            ) : (
              <Textarea
                key={id}
                {...common}
                autosize
                minRows={type === 'json' ? 3 : 1}
                maxRows={10}
                inputMode={type === 'number' ? 'decimal' : undefined}
                placeholder={type === 'timestamp' ? '2026-01-31T08:15:30Z' : undefined}
                value={texts.get(name) ?? ''}
                onChange={(event) => write(name, event.currentTarget.value)}
              />
            );
          })}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={insert.isPending}>
              Add
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
