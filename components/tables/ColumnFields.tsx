import { ActionIcon, Button, Checkbox, Group, Select, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { COLUMN_TYPES, type TableColumnType } from '@/contract/tables/table-columns';
import classes from './ColumnFields.module.css';
import { COLUMN_TYPE_LABELS } from './types';

/** A column in a form; without an id it is new. */
export interface ColumnDraft {
  key: number;
  id?: string;
  name: string;
  type: TableColumnType;
  isRequired: boolean;
  isUnique: boolean;
}

let lastKey = 0;

export const createColumnDraft = (column: Partial<Omit<ColumnDraft, 'key'>> = {}): ColumnDraft => {
  lastKey += 1;
  return { key: lastKey, name: '', type: 'text', isRequired: false, isUnique: false, ...column };
};

/** A column as the service takes it. */
export const columnRequestBody = ({ id, name, type, isRequired, isUnique }: ColumnDraft) => ({
  ...(id === undefined ? {} : { id }),
  name: name.trim(),
  type,
  isRequired,
  isUnique: isUnique && type !== 'json',
});

interface Props {
  columns: ColumnDraft[];
  /** Errors by the service's field, such as `columns[0].name`. */
  errors: ReadonlyMap<string, string>;
  onChange(columns: ColumnDraft[]): void;
}

const COLUMN_TYPE_OPTIONS = COLUMN_TYPES.map((value) => ({ value, label: COLUMN_TYPE_LABELS[value] }));

/** The columns of a table: names, types and rules. The type of a column that has values stays. */
export function ColumnFields({ columns, errors, onChange }: Props) {
  const change = (key: number, changes: Partial<ColumnDraft>) =>
    onChange(columns.map((column) => (column.key === key ? { ...column, ...changes } : column)));
  return (
    <Stack gap="sm">
      {columns.map((column, index) => {
        const errorAt = (field: string) => errors.get(`columns[${index}].${field}`);
        const label = column.name || `column ${index + 1}`;
        return (
          <div key={column.key} className={classes.column} role="group" aria-label={label}>
            <TextInput
              aria-label="Name of the column"
              placeholder="Name"
              value={column.name}
              error={errorAt('name')}
              maxLength={100}
              autoComplete="off"
              onChange={(event) => change(column.key, { name: event.currentTarget.value })}
            />
            <Select
              aria-label="Type of the column"
              data={COLUMN_TYPE_OPTIONS}
              value={column.type}
              error={errorAt('type')}
              disabled={column.id !== undefined}
              allowDeselect={false}
              onChange={(value) => {
                const type = COLUMN_TYPES.find((one) => one === value);
                if (type) change(column.key, { type });
              }}
            />
            <Group gap="md" wrap="nowrap">
              <Checkbox
                label="Required"
                checked={column.isRequired}
                error={errorAt('isRequired')}
                onChange={(event) => change(column.key, { isRequired: event.currentTarget.checked })}
              />
              <Checkbox
                label="Unique"
                checked={column.isUnique && column.type !== 'json'}
                disabled={column.type === 'json'}
                error={errorAt('isUnique')}
                onChange={(event) => change(column.key, { isUnique: event.currentTarget.checked })}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove ${label}`}
                onClick={() => onChange(columns.filter(({ key }) => key !== column.key))}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Group>
          </div>
        );
      })}
      <Button
        variant="default"
        w="fit-content"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={() => onChange([...columns, createColumnDraft()])}
      >
        Add column
      </Button>
    </Stack>
  );
}
