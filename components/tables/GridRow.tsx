import { Checkbox } from '@mantine/core';
import { memo } from 'react';
import { CellEditor } from './CellEditor';
import classes from './RowGrid.module.css';
import { cellDisplayText, cellEditorText } from './cell-text';
import type { TableColumnData, TableRowData } from './types';

/** The cell that is being edited. */
export interface CellEditing {
  rowId: string;
  columnId: string;
  /** The text that opened the editor by typing. */
  typed: string | undefined;
}

export interface CellSavingState {
  isBusy: boolean;
  error: string | undefined;
  save(row: TableRowData, column: TableColumnData, value: unknown): void;
  cancel(): void;
}

interface Props {
  row: TableRowData;
  /** Its number in the list. */
  index: number;
  top: number;
  columns: TableColumnData[];
  isSelected: boolean;
  canWrite: boolean;
  /** Number of the column of the active cell, if it is in this row. */
  activeColumn: number | undefined;
  /** If a cell of this row is being edited. */
  editing: CellEditing | undefined;
  saving: CellSavingState;
  onActivate(column: number): void;
  onEdit(column: number): void;
  onSelect(isSelected: boolean): void;
}

/** One row of the grid. The active cell is the only one that Tab reaches. */
function UnmemoizedGridRow(props: Props) {
  const { row, index, top, columns, isSelected, canWrite, activeColumn, editing, saving } = props;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={classes.row}
      data-selected={isSelected || undefined}
      style={{ top }}
    >
      {canWrite && (
        <div role="gridcell" className={classes.pick}>
          <Checkbox
            size="xs"
            aria-label={`Select row ${index + 1}`}
            checked={isSelected}
            onChange={(event) => props.onSelect(event.currentTarget.checked)}
          />
        </div>
      )}
      {columns.map((column, at) => {
        const value = row[column.name];
        const isEditing = editing?.columnId === column.id;
        return (
          <div
            key={column.id}
            role="gridcell"
            aria-colindex={at + 1}
            className={classes.cell}
            data-type={column.type}
            data-editing={isEditing || undefined}
            data-active={activeColumn === at || undefined}
            tabIndex={activeColumn === at ? 0 : -1}
            title={isEditing ? undefined : cellEditorText(column.type, value)}
            onFocus={() => props.onActivate(at)}
            onDoubleClick={() => props.onEdit(at)}
          >
            {isEditing ? (
              <CellEditor
                column={column}
                value={value}
                typed={editing.typed}
                isBusy={saving.isBusy}
                error={saving.error}
                onSave={(written) => saving.save(row, column, written)}
                onCancel={saving.cancel}
              />
            ) : (
              cellDisplayText(column.type, value).slice(0, 300)
            )}
          </div>
        );
      })}
      <div role="gridcell" className={classes.cell} data-own>
        {new Date(row.createdAt).toLocaleString()}
      </div>
    </div>
  );
}

export const GridRow = memo(UnmemoizedGridRow);
