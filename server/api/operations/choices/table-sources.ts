import type { FieldChoice } from '@/contract/choices';
import type { TableColumn } from '@/contract/tables/table';
import { MAX_CHOICES_PER_PAGE } from '@/contract/choices';
import { visibleRowsFilter } from '@/server/people/access/filter';
import { requireReferenceUse } from '@/server/people/access/references';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import { caseInsensitiveContains } from '../workflows/workflow-rows';
import type { ChoiceLister } from './choice-source';

const encodeNameCursor = (name: string) => Buffer.from(name).toString('base64url');

function decodeNameCursor(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString();
  if (name === '' || name.includes('\0') || encodeNameCursor(name) !== cursor)
    throw invalidFieldProblem('cursor', 'is not a cursor of this list');
  return name;
}

/**
 * The tables that the caller may read, by name. Names are unique in a workspace, so that a name is a place in the list.
 */
const listTableChoices: ChoiceLister = async ({ db, caller }, { search, cursor }) => {
  const found = await db.dataTable.findMany({
    where: {
      AND: [
        { workspaceId: caller.workspaceId },
        visibleRowsFilter(caller, 'table'),
        search === '' ? {} : { name: caseInsensitiveContains(search) },
        cursor === undefined ? {} : { name: { gt: decodeNameCursor(cursor) } },
      ],
    },
    orderBy: { name: 'asc' },
    take: MAX_CHOICES_PER_PAGE + 1,
    select: { id: true, name: true },
  });
  const page = found.slice(0, MAX_CHOICES_PER_PAGE);
  const last = found.length > MAX_CHOICES_PER_PAGE ? page.at(-1) : undefined;
  return {
    data: page.map(({ id, name }) => ({ value: id, label: name })),
    nextCursor: last ? encodeNameCursor(last.name) : null,
  };
};

const toColumnChoice = ({ name, type, isRequired }: TableColumn): FieldChoice => ({
  value: name,
  label: name,
  type,
  isRequired,
});

/**
 * A lister of those columns of a table that `choose` returns, where the caller may read the table. A table has no more
 * columns than a page.
 */
const createColumnLister =
  (choose: (columns: FieldChoice[]) => FieldChoice[]): ChoiceLister =>
  async ({ db, caller }, { values: { tableId = '' }, search, cursor }) => {
    if (cursor !== undefined) throw invalidFieldProblem('cursor', 'is not a cursor of this list');
    await requireReferenceUse(db, caller, { resource: 'table', id: tableId, action: 'read' });
    const table = await db.dataTable.findFirst({
      where: { id: tableId, workspaceId: caller.workspaceId },
      select: { columns: true },
    });
    if (!table) throw invalidFieldProblem('values.tableId', 'is not a table of this workspace');
    const sought = search.toLowerCase();
    const found = choose((table.columns as TableColumn[]).map(toColumnChoice));
    return { data: found.filter(({ label }) => label.toLowerCase().includes(sought)), nextCursor: null };
  };

const SYSTEM_COLUMN_CHOICES: FieldChoice[] = [
  { value: 'createdAt', label: 'Time of creation', type: 'timestamp' },
  { value: 'updatedAt', label: 'Time of the last change', type: 'timestamp' },
  { value: 'id', label: 'Id of the row', type: 'text' },
];
const isComparable = ({ type }: FieldChoice) => type !== 'json';

/**
 * The sources of the node `table`, by the names that its fields use. They read the service's own rows at once, so
 * nothing is kept.
 */
export const TABLE_CHOICE_LISTERS: Readonly<Record<string, ChoiceLister>> = {
  tables: listTableChoices,
  columns: createColumnLister((columns) => columns),
  // A key names some columns of a row, so none of them is required.
  keyColumns: createColumnLister((columns) =>
    columns.filter(isComparable).map((column) => ({ ...column, isRequired: false })),
  ),
  numberColumns: createColumnLister((columns) => columns.filter(({ type }) => type === 'number')),
  sortColumns: createColumnLister((columns) => [...columns.filter(isComparable), ...SYSTEM_COLUMN_CHOICES]),
};
