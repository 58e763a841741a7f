import { ActionIcon, Button, Group, SegmentedControl, Select, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { OPERATORS_BY_TYPE, type TableColumnType, type FilterOperator } from '@/contract/tables/table-columns';
import { filterableColumns, type FilterConditionDraft, type RowFilterDraft } from './filter-state';
import type { TableDetails } from './types';
import { BOOLEAN_CELL_OPTIONS } from './cell-text';

const FILTER_OPERATOR_LABELS: Partial<Record<FilterOperator, string>> = {
  eq: 'is',
  ne: 'is not',
  lt: 'is less than',
  lte: 'is at most',
  gt: 'is greater than',
  gte: 'is at least',
  contains: 'contains',
  starts_with: 'begins with',
  is_null: 'is empty',
};

const operatorOptions = (type: TableColumnType) =>
  OPERATORS_BY_TYPE[type].flatMap((value) => {
    const label = FILTER_OPERATOR_LABELS[value];
    return label ? [{ value, label }] : [];
  });

const isFilterOperator = (value: string | null): value is FilterOperator =>
  value !== null && value in FILTER_OPERATOR_LABELS;

interface Props {
  table: TableDetails;
  filter: RowFilterDraft;
  /** Errors of the service by the number of the row. */
  errors: ReadonlyMap<number, string>;
  onChange(filter: RowFilterDraft): void;
}

/** Conditions that rows must meet: all of them, or any. */
export function FilterBar({ table, filter, errors, onChange }: Props) {
  const columns = filterableColumns(table);
  const typeOf = (name: string): TableColumnType => columns.find((column) => column.name === name)?.type ?? 'text';
  const change = (index: number, changes: Partial<FilterConditionDraft>) =>
    onChange({ ...filter, rows: filter.rows.map((row, at) => (at === index ? { ...row, ...changes } : row)) });
  const valueProps = (index: number) => ({ 'aria-label': 'Value', flex: 1, miw: 120, error: errors.get(index) });
  const add = () => {
    const [first] = columns;
    if (first) onChange({ ...filter, rows: [...filter.rows, { column: first.name, operator: 'eq', value: '' }] });
  };
  return (
    <Stack gap="xs" mb="sm" role="group" aria-label="Filter">
      {filter.rows.map((row, index) => (
        <Group key={index} gap="xs" align="flex-start">
          <Select
            aria-label="Column"
            w={150}
            data={columns.map(({ name, label }) => ({ value: name, label }))}
            value={row.column}
            allowDeselect={false}
            onChange={(column) => {
              if (column === null) return;
              const [first] = operatorOptions(typeOf(column));
              const keeps = OPERATORS_BY_TYPE[typeOf(column)].includes(row.operator);
              const isSameType = typeOf(column) === typeOf(row.column);
              change(index, {
                column,
                operator: keeps ? row.operator : (first?.value ?? 'is_null'),
                // A value of another type would stay unseen.
                ...(!isSameType && { value: '' }),
              });
            }}
          />
          <Select
            aria-label="Comparison"
            w={140}
            data={operatorOptions(typeOf(row.column))}
            value={row.operator}
            allowDeselect={false}
            onChange={(operator) => {
              if (isFilterOperator(operator)) change(index, { operator });
            }}
          />
          {row.operator === 'is_null' ? null : typeOf(row.column) === 'boolean' ? (
            <Select
              {...valueProps(index)}
              placeholder="Yes or no"
              data={BOOLEAN_CELL_OPTIONS}
              value={row.value || null}
              onChange={(value) => change(index, { value: value ?? '' })}
            />
          ) : (
            <TextInput
              {...valueProps(index)}
              value={row.value}
              onChange={(event) => change(index, { value: event.currentTarget.value })}
            />
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label="Remove the condition"
            onClick={() => onChange({ ...filter, rows: filter.rows.filter((_, at) => at !== index) })}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Group gap="xs">
        <Button size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          Add condition
        </Button>
        {filter.rows.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label="How conditions are joined"
            data={[
              { value: 'and', label: 'All of them' },
              { value: 'or', label: 'Any of them' },
            ]}
            value={filter.join}
            onChange={(join) => onChange({ ...filter, join: join === 'or' ? 'or' : 'and' })}
          />
        )}
      </Group>
    </Stack>
  );
}
