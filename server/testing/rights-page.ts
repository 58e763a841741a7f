import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The table of rights as people read it: nothing of it is derived from the code. */
const PAGE = readFileSync(path.resolve(import.meta.dirname, '../../docs/operate/rights.md'), 'utf8');
const [, ROLES = '', OPERATIONS = ''] = PAGE.split(/^## /m);

const readCells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The cells of the rows of a table, without its headings. */
const readRows = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (Permission|Operation) \|/.test(line))
    .map(readCells);

/** The columns of the table of permissions. */
export const rightsHeading: readonly string[] = readCells(/^\| Permission .*$/m.exec(ROLES)?.[0] ?? '').map((cell) =>
  cell.replaceAll('`', ''),
);
/** A permission, and `yes` or `–` in each column. */
export const permissionRows: readonly string[][] = readRows(ROLES);
/** An operation, its address, and what it needs. */
export const operationRows: readonly string[][] = readRows(OPERATIONS);

const rows = new Map(permissionRows.map(([permission = '', ...cells]) => [permission, cells]));

/** What the columns say about a permission: whether each of them has it. */
export function readRights(permission: string): Record<string, boolean> {
  const cells = rows.get(permission);
  if (!cells) throw new Error(`docs/operate/rights.md has no row ${permission}`);
  return Object.fromEntries(rightsHeading.slice(1).map((column, index) => [column, cells[index] === 'yes']));
}
