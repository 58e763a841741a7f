import { useState, type KeyboardEvent } from 'react';
import classes from './RowGrid.module.css';
import { BOOLEAN_CELL_NAMES, cellEditorText, parseCellText } from './cell-text';
import type { TableColumnData } from './types';

interface Props {
  column: TableColumnData;
  value: unknown;
  /** The text that opened the editor by typing. Undefined starts with the stored value. */
  typed: string | undefined;
  isBusy: boolean;
  /** The service's refusal of what was written. */
  error: string | undefined;
  onSave(value: unknown): void;
  onCancel(): void;
}

/** An input for a cell of its column's type. Enter saves, Escape gives up, Shift and Enter begins a line. */
export function CellEditor({
  column: { name, type, isRequired },
  value,
  typed,
  isBusy,
  error,
  onSave,
  onCancel,
}: Props) {
  const [text, setText] = useState(typed ?? cellEditorText(type, value));
  const [fault, setFault] = useState<string>();
  const save = (written: string) => {
    const read = parseCellText(type, written);
    if ('fault' in read) setFault(read.fault);
    else onSave(read.value);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The grid would move on the same keys.
    event.stopPropagation();
    if (event.key === 'Escape') onCancel();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!isBusy) save(text);
  };
  const shown = fault ?? error;
  const common = {
    'aria-label': name,
    'aria-invalid': shown !== undefined || undefined,
    autoFocus: true,
    className: classes.input,
    'aria-busy': isBusy || undefined,
    value: text,
    onKeyDown,
  };
  return (
    <div className={classes.editor}>
      {type === 'boolean' ? (
        <select {...common} onChange={(event) => setText(event.currentTarget.value)}>
          {!isRequired && <option value="">No value</option>}
          <option value="true">{BOOLEAN_CELL_NAMES.true}</option>
          <option value="false">{BOOLEAN_CELL_NAMES.false}</option>
        </select>
      ) : (
        <textarea
          {...common}
          // The input is not disabled while it is saved, because it would lose the focus.
          readOnly={isBusy}
          rows={type === 'json' ? 4 : 1}
          inputMode={type === 'number' ? 'decimal' : undefined}
          placeholder={type === 'timestamp' ? '2026-01-31T08:15:30Z' : undefined}
          spellCheck={type === 'text'}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      {shown !== undefined && (
        <div role="alert" className={classes.fault}>
          {shown}
        </div>
      )}
    </div>
  );
}
