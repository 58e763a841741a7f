import classes from './FirstRows.module.css';
import { formatItemCount } from './item-count-text';

const MAX_SHOWN_ROWS = 3;
const MAX_SHOWN_COLUMNS = 4;
const MAX_CELL_CHARACTERS = 40;
/** The column of items that are no objects. */
const ITEM_COLUMN = 'item';

interface Props {
  rows: readonly unknown[];
  /** Replaces the number of items, where the rows are examples. */
  caption?: string;
}

/** The first rows of a list as a small table. */
export function FirstRows({ rows, caption }: Props) {
  const shown = rows.slice(0, MAX_SHOWN_ROWS);
  const all = [...new Set(shown.flatMap((row) => (isRow(row) ? Object.keys(row) : [ITEM_COLUMN])))];
  const columns = all.slice(0, MAX_SHOWN_COLUMNS);
  const more = all.length - columns.length;
  return (
    <div className={classes.place}>
      {shown.length > 0 && (
        <table className={classes.table}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              <tr key={index}>
                {columns.map((column) => (
                  <td key={column}>{cellText(isRow(row) ? row[column] : column === ITEM_COLUMN ? row : undefined)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className={classes.caption}>
        {caption ?? formatItemCount(rows.length)}
        {more > 0 && ` · ${more} more ${more === 1 ? 'field' : 'fields'}`}
      </div>
    </div>
  );
}

const isRow = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return formatItemCount(value.length);
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > MAX_CELL_CHARACTERS ? `${text.slice(0, MAX_CELL_CHARACTERS)}…` : text;
}
