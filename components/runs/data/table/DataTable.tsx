import {
  Button,
  Checkbox,
  CloseButton,
  Group,
  Loader,
  Menu,
  Popover,
  Stack,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconColumns3, IconDownload } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useRef, useState, type ReactNode } from 'react';
import { isFileValue } from '@/contract/file-value';
import { useVisibleRows } from '@/components/ui/lists/useVisibleRows';
import classes from './DataTable.module.css';
import { useDragPathProps } from '../dragging';
import type { TableRowQuery } from './row-index';
import { saveRowsAsCsv, saveRowsAsJson } from './save-rows';
import { cellValue, inferColumns, appendPathStep, tableCellText, SCALAR_COLUMN } from './table-data';
import { useMatchingRows } from './useMatchingRows';
import { SearchInput } from '@/components/ui/SearchInput';

const TABLE_ROW_HEIGHT = 30;
const MAX_INITIAL_COLUMNS = 30;
/** A longer text is cut in its cell. */
const MAX_TABLE_CELL_TEXT = 200;

const SORT_ICONS = { ascending: IconArrowUp, descending: IconArrowDown };

/** What a person chose in a table. */
export interface DataTableState {
  query: TableRowQuery;
  /** The hidden columns. Undefined hides those beyond the first ones. */
  hidden: ReadonlySet<string> | undefined;
}

interface Props {
  rows: unknown[];
  /**
   * The columns in order. By default they are the fields of the first rows, but an object puts names such as 2023
   * before all others.
   */
  columns?: string[];
  name: string;
  /** Path of the list in expressions; makes columns and cells draggable. */
  path?: string;
  state: DataTableState;
  onState(state: DataTableState): void;
  /** Shows a row that is opened; `path`: its path in expressions. */
  renderRow(row: unknown, path: string | undefined): ReactNode;
}

/** A list as a table: search, sorting, choice of columns and download. Only the visible rows are rendered. */
export function DataTable({ rows, columns: given, name, path, state, onState, renderRow }: Props) {
  const all = useMemo(() => given ?? inferColumns(rows), [given, rows]);
  const hidden = useMemo(() => state.hidden ?? new Set(all.slice(MAX_INITIAL_COLUMNS)), [state.hidden, all]);
  const { text, order } = state.query;
  const wanted = useDeferredValue(text);
  const query = useMemo(() => ({ text: wanted, order }), [wanted, order]);
  const { indices: sorted, isBusy } = useMatchingRows(rows, all, query);
  const [openAt, open] = useState<number>();
  const columns = all.filter((column) => !hidden.has(column));
  const ask = (part: Partial<TableRowQuery>) => onState({ ...state, query: { ...state.query, ...part } });
  const sort = (column: string) => {
    if (order?.column !== column) ask({ order: { column, direction: 'ascending' } });
    else ask({ order: order.direction === 'ascending' ? { column, direction: 'descending' } : undefined });
  };
  const toggle = (column: string) => {
    const next = new Set(hidden);
    if (!next.delete(column)) next.add(column);
    onState({ ...state, hidden: next });
  };
  const count = sorted.length === rows.length ? '' : `${sorted.length.toLocaleString('en')} of `;
  return (
    <Stack gap={6} className={classes.whole}>
      <Group gap={6}>
        <SearchInput
          size="xs"
          label="Search rows"
          placeholder="Search rows"
          value={text}
          onChange={(next) => ask({ text: next })}
          className={classes.search}
        />
        <ColumnPicker all={all} hidden={hidden} onToggle={toggle} />
        <RowDownloadMenu rows={rows} indices={sorted} columns={columns} name={name} />
      </Group>
      <DataTableRows
        {...{ rows, name, path, all, columns, sorted, isBusy, order, openAt }}
        onSort={sort}
        onOpen={(at) => open(at === openAt ? undefined : at)}
      />
      <Group gap={8}>
        <Text size="xs" c="dimmed" role="status">
          {count}
          {rows.length.toLocaleString('en')} {rows.length === 1 ? 'row' : 'rows'}
        </Text>
        {isBusy && <Loader size={12} aria-label="Searching and sorting" />}
      </Group>
      {openAt !== undefined && openAt < rows.length && (
        <section className={classes.row} aria-label={`Row ${openAt + 1}`}>
          <Group justify="space-between" mb={4}>
            <Text size="xs" fw={600}>
              Row {(openAt + 1).toLocaleString('en')}
            </Text>
            <CloseButton size="xs" aria-label="Close the row" onClick={() => open(undefined)} />
          </Group>
          {renderRow(rows[openAt], path === undefined ? undefined : appendPathStep(path, String(openAt), true))}
        </section>
      )}
    </Stack>
  );
}

interface DataTableRowsProps extends Pick<Props, 'rows' | 'name' | 'path'> {
  /** All columns, also hidden ones. */
  all: readonly string[];
  columns: readonly string[];
  /** Indices of the rows that are shown, in their order. */
  sorted: readonly number[];
  isBusy: boolean;
  order: TableRowQuery['order'];
  /** Index of the row that is shown as a tree. */
  openAt: number | undefined;
  onSort(column: string): void;
  onOpen(at: number): void;
}

function DataTableRows({
  rows,
  name,
  path,
  all,
  columns,
  sorted,
  isBusy,
  order,
  openAt,
  onSort,
  onOpen,
}: DataTableRowsProps) {
  const numeric = useMemo(
    () => new Set(all.filter((column) => rows.slice(0, 50).every((row) => isNumberOrMissing(cellValue(row, column))))),
    [all, rows],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const { indices, above, below } = useVisibleRows(sorted.length, TABLE_ROW_HEIGHT, scroller);
  const cellPath = (row: string, column: string) =>
    path === undefined ? undefined : column === SCALAR_COLUMN ? row || undefined : appendPathStep(row, column);
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      tabIndex={0}
      role="region"
      aria-label={`Rows of ${name}`}
      aria-busy={isBusy}
    >
      <table className={classes.table} aria-rowcount={sorted.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th className={classes.number} aria-label="Row" />
            {columns.map((column) => (
              <SortableHeading
                key={column}
                column={column}
                path={cellPath(path ?? '', column)}
                isNumber={numeric.has(column)}
                direction={order?.column === column ? order.direction : undefined}
                onSort={() => onSort(column)}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <RowSpacer height={above} />}
          {indices.map((index) => {
            const at = sorted[index] ?? 0;
            return (
              <tr key={index} aria-rowindex={index + 2} data-open={at === openAt || undefined}>
                <th scope="row" className={classes.number}>
                  <UnstyledButton
                    aria-label={`Show row ${at + 1}`}
                    aria-expanded={at === openAt}
                    onClick={() => onOpen(at)}
                  >
                    {(at + 1).toLocaleString('en')}
                  </UnstyledButton>
                </th>
                {columns.map((column) => (
                  <DataTableCell
                    key={column}
                    value={cellValue(rows[at], column)}
                    path={cellPath(appendPathStep(path ?? '', String(at), true) ?? '', column)}
                  />
                ))}
              </tr>
            );
          })}
          {below > 0 && <RowSpacer height={below} />}
        </tbody>
      </table>
    </div>
  );
}

interface SortableHeadingProps {
  column: string;
  path: string | undefined;
  isNumber: boolean;
  direction: keyof typeof SORT_ICONS | undefined;
  onSort(): void;
}

function SortableHeading({ column, path, isNumber, direction, onSort }: SortableHeadingProps) {
  const drag = useDragPathProps();
  const Icon = direction && SORT_ICONS[direction];
  return (
    <th aria-sort={direction ?? 'none'} data-number={isNumber || undefined} {...drag(path)}>
      <UnstyledButton className={classes.heading} title={`Sort by ${column}`} onClick={onSort}>
        <span>{column}</span>
        {Icon && <Icon size={12} aria-hidden />}
      </UnstyledButton>
    </th>
  );
}

const isNumberOrMissing = (value: unknown) => typeof value === 'number' || value === null || value === undefined;

/** Takes the place of rows that are not rendered. */
const RowSpacer = ({ height }: { height: number }) => <tr aria-hidden style={{ height }} />;

function DataTableCell({ value, path }: { value: unknown; path: string | undefined }) {
  const drag = useDragPathProps();
  const whole = isFileValue(value) ? value.name : tableCellText(value);
  const text = whole.length > MAX_TABLE_CELL_TEXT ? `${whole.slice(0, MAX_TABLE_CELL_TEXT)}…` : whole;
  return (
    <td data-number={typeof value === 'number' || undefined} {...drag(path)} title={text}>
      {text}
    </td>
  );
}

interface ColumnPickerProps {
  all: string[];
  hidden: ReadonlySet<string>;
  onToggle(column: string): void;
}

function ColumnPicker({ all, hidden, onToggle }: ColumnPickerProps) {
  return (
    <Popover position="bottom-end" shadow="md">
      <Popover.Target>
        <Button size="compact-xs" variant="default" leftSection={<IconColumns3 size={13} aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.columns}>
        <Stack gap={6}>
          {all.map((column) => (
            <Checkbox
              key={column}
              size="xs"
              label={column}
              checked={!hidden.has(column)}
              onChange={() => onToggle(column)}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface RowDownloadProps {
  rows: readonly unknown[];
  /** The indices of the rows that are shown, in their order. */
  indices: readonly number[];
  columns: string[];
  name: string;
}

function RowDownloadMenu({ rows, indices, columns, name }: RowDownloadProps) {
  const shown = () => indices.map((at) => rows[at]);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-xs" variant="default" leftSection={<IconDownload size={13} aria-hidden />}>
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void saveRowsAsCsv(shown(), columns, name)}>CSV</Menu.Item>
        <Menu.Item onClick={() => void saveRowsAsJson(shown(), name)}>JSON</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
