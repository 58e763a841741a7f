import { Checkbox } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import type { TableColumnType } from '@/contract/tables/table-columns';
import { GridRow, type CellEditing } from './GridRow';
import classes from './RowGrid.module.css';
import type { TableColumnData, TableRowData, TableDetails } from './types';
import { useCellSaving } from './useCellSaving';

const GRID_ROW_HEIGHT = 36;
/** The next page is fetched before the last rows are reached. */
const PREFETCH_ROWS = 20;

interface Props {
  table: TableDetails;
  rows: TableRowData[];
  sort: string | undefined;
  canWrite: boolean;
  selected: ReadonlySet<string>;
  onSort(sort: string | undefined): void;
  onSelect(selected: ReadonlySet<string>): void;
  /** Fetches the next page. Null if there is none. */
  more: (() => void) | null;
}

/** Ascending, then descending, then as without a sort. */
const nextSortOrder = (name: string, sort: string | undefined) =>
  sort === name ? `-${name}` : sort === `-${name}` ? undefined : name;

const sortDirection = (name: string, sort: string | undefined) =>
  sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none';

/** The rows in a grid: only those in view are in the page. Arrows move, Enter edits, Escape gives up. */
export function RowGrid({ table, rows, sort, canWrite, selected, onSort, onSelect, more }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const { columns } = table;
  // oxlint-disable-next-line react/incompatible-library -- nothing of it is passed to memoized components
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => GRID_ROW_HEIGHT,
    overscan: 10,
    scrollPaddingStart: GRID_ROW_HEIGHT,
  });
  const items = virtualizer.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && lastShown >= rows.length - PREFETCH_ROWS) more();
  }, [lastShown, rows.length, more]);
  const cells = useGridCells({ frame, table, rows, canWrite, onMove: virtualizer.scrollToIndex });
  const select = (id: string, isSelected: boolean) => {
    const next = new Set(selected);
    if (isSelected) next.add(id);
    else next.delete(id);
    onSelect(next);
  };
  return (
    <div ref={frame} className={classes.frame}>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its cells take the focus, one of them by Tab */}
      <div
        role="grid"
        aria-label={`Rows of ${table.name}`}
        aria-rowcount={rows.length + 1}
        className={classes.grid}
        style={{ height: virtualizer.getTotalSize() + GRID_ROW_HEIGHT }}
        onKeyDown={cells.onKeyDown}
      >
        <GridHeaderRow
          columns={columns}
          sort={sort}
          onSort={onSort}
          pick={
            canWrite && (
              <Checkbox
                size="xs"
                aria-label="Select all rows shown"
                checked={rows.length > 0 && rows.every(({ id }) => selected.has(id))}
                onChange={(event) => onSelect(new Set(event.currentTarget.checked ? rows.map(({ id }) => id) : []))}
              />
            )
          }
        />
        {items.map(({ index, start }) => {
          const row = rows[index];
          return (
            row && (
              <GridRow
                key={row.id}
                row={row}
                index={index}
                top={start + GRID_ROW_HEIGHT}
                columns={columns}
                isSelected={selected.has(row.id)}
                canWrite={canWrite}
                activeColumn={cells.active.row === index ? cells.active.column : undefined}
                editing={cells.editing?.rowId === row.id ? cells.editing : undefined}
                saving={cells.saving}
                onActivate={(column) => cells.setActive({ row: index, column })}
                onEdit={(column) => cells.edit(index, column)}
                onSelect={(isSelected) => select(row.id, isSelected)}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

interface GridCellsOptions extends Pick<Props, 'table' | 'rows' | 'canWrite'> {
  frame: RefObject<HTMLDivElement | null>;
  /** Brings a row into view. */
  onMove(row: number): void;
}

/** The cell that has the focus, and the one that is edited. */
function useGridCells({ frame, table, rows, canWrite, onMove }: GridCellsOptions) {
  const [active, setActive] = useState({ row: 0, column: 0 });
  const [editing, setEditing] = useState<CellEditing>();
  const { columns } = table;
  /** Focuses the active cell in the next frame, once it is in the page. */
  const focusActive = () =>
    requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>('[data-active]')?.focus());
  const saving = useCellSaving(table, () => {
    setEditing(undefined);
    focusActive();
  });
  const edit = (row: number, column: number, typed?: string) => {
    const [at, of] = [columns[column], rows[row]];
    if (!canWrite || !at || !of) return;
    saving.reset();
    setEditing({ rowId: of.id, columnId: at.id, typed });
  };
  const moveTo = (row: number, column: number) => {
    const to = {
      row: Math.min(Math.max(row, 0), rows.length - 1),
      column: Math.min(Math.max(column, 0), columns.length - 1),
    };
    setActive(to);
    onMove(to.row);
    focusActive();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || !event.target.hasAttribute('data-active')) return;
    const { row, column } = active;
    const moves: Record<string, [number, number]> = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      PageUp: [row - 10, column],
      PageDown: [row + 10, column],
      Home: [row, 0],
      End: [row, columns.length - 1],
    };
    const move = moves[event.key];
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (move) moveTo(...move);
    else if (event.key === 'Enter' || event.key === 'F2') edit(row, column);
    else if (event.key.length === 1 && event.key !== ' ' && isPlain)
      edit(row, column, initialCellText(columns[column], event.key));
    else return;
    event.preventDefault();
  };
  return { active, setActive, editing, edit, saving, onKeyDown };
}

/** What a typed character begins with; true and false are chosen. */
const initialCellText = (column: TableColumnData | undefined, key: string) =>
  column?.type === 'boolean' ? undefined : key;

interface GridHeaderRowProps extends Pick<Props, 'sort' | 'onSort'> {
  columns: TableColumnData[];
  /** Selects all rows; false: rows can't be selected. */
  pick: ReactNode;
}

const GridHeaderRow = ({ columns, sort, onSort, pick }: GridHeaderRowProps) => (
  <div role="row" className={classes.head}>
    {pick && (
      <div role="columnheader" className={classes.pick}>
        {pick}
      </div>
    )}
    {columns.map(({ id, name, type }) => (
      <GridHeaderCell key={id} name={name} type={type} isSortable={type !== 'json'} sort={sort} onSort={onSort} />
    ))}
    <GridHeaderCell name="createdAt" label="Created" type="timestamp" isSortable sort={sort} onSort={onSort} />
  </div>
);

interface GridHeaderCellProps {
  name: string;
  label?: string;
  /** The type of the values in the column. */
  type: TableColumnType;
  isSortable: boolean;
  sort: string | undefined;
  onSort(sort: string | undefined): void;
}

function GridHeaderCell({ name, label = name, type, isSortable, sort, onSort }: GridHeaderCellProps) {
  const sorted = sortDirection(name, sort);
  return (
    <div role="columnheader" aria-sort={sorted} className={classes.cell} data-of={type}>
      {isSortable ? (
        <button type="button" className={classes.sort} onClick={() => onSort(nextSortOrder(name, sort))}>
          {label}
          {sorted === 'ascending' && <IconArrowUp size={14} aria-hidden />}
          {sorted === 'descending' && <IconArrowDown size={14} aria-hidden />}
        </button>
      ) : (
        <span className={classes.none}>{label}</span>
      )}
    </div>
  );
}
