import { SegmentedControl, Table, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { isFileValue } from '@/contract/file-value';
import { JsonView } from '@/components/ui/values/JsonView';
import classes from './DataView.module.css';
import { DataTree } from './DataTree';

interface Props {
  label: string;
  value: unknown;
  /** Path of the value in expressions; makes its fields draggable. */
  path?: string;
  isFolded?: boolean;
}

const VIEWS = ['Fields', 'Table', 'JSON'];

/** A JSON value as a tree, as a table (a list of objects) or as text. */
export function DataView({ label, value, path, isFolded = false }: Props) {
  const [isOpen, setOpen] = useState(!isFolded);
  const [view, setView] = useState('Fields');
  const rows = rowsOf(value);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <section className={classes.view} aria-label={label}>
      <div className={classes.head}>
        <UnstyledButton className={classes.label} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Chevron size={14} aria-hidden /> {label}
        </UnstyledButton>
        {isOpen && (
          <SegmentedControl
            size="xs"
            aria-label={`View of ${label}`}
            data={VIEWS.map((each) => ({ value: each, label: each, disabled: each === 'Table' && !rows }))}
            value={view}
            onChange={setView}
          />
        )}
      </div>
      {isOpen && view === 'Fields' && <DataTree value={value} path={path} />}
      {isOpen && view === 'Table' && rows && <DataTable rows={rows} />}
      {isOpen && view === 'JSON' && <JsonView label={`${label} as JSON`} value={value} />}
    </section>
  );
}

type Row = Record<string, unknown>;
const MOST_ROWS = 100;

function rowsOf(value: unknown): Row[] | undefined {
  const isRow = (item: unknown): item is Row => typeof item === 'object' && item !== null && !Array.isArray(item);
  return Array.isArray(value) && value.length > 0 && value.every(isRow) ? value : undefined;
}

function cellOf(value: unknown): string {
  if (isFileValue(value)) return value.name;
  return typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');
}

function DataTable({ rows }: { rows: Row[] }) {
  const columns = [...new Set(rows.slice(0, MOST_ROWS).flatMap((row) => Object.keys(row)))];
  return (
    <Table.ScrollContainer minWidth={300} tabIndex={0}>
      <Table fz="xs" withTableBorder withColumnBorders>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column}>{column}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.slice(0, MOST_ROWS).map((row, index) => (
            <Table.Tr key={index}>
              {columns.map((column) => (
                <Table.Td key={column}>{cellOf(row[column])}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
