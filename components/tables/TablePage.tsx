'use client';

import { Button, Group } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { readApiError, apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useObjectPermission } from '@/components/client/useObjectPermission';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { ConfirmDialog } from '@/components/ui/ConfirmDialog';
import { ScrollingPage } from '@/components/ui/page/ScrollingPage';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { EmptyListArt } from '@/components/ui/art/EmptyListArt';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { FormErrorAlert } from '@/components/ui/states/FormErrorAlert';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { ListSkeleton } from '@/components/ui/states/ListSkeleton';
import { PageNotFoundState } from '@/components/ui/states/PageNotFoundState';
import { FilterBar } from './FilterBar';
import { ImportDialog } from './ImportDialog';
import { NewRow } from './NewRow';
import { RowGrid } from './RowGrid';
import { TableForm } from './TableForm';
import { TableMenu, type TableDialog } from './TableMenu';
import { buildRowFilter, EMPTY_ROW_FILTER } from './filter-state';
import type { TableDetails } from './types';
import { useTableRows } from './useTableRows';

/** One table: its rows, and what can be done with them. */
export function TablePage({ id }: { id: string }) {
  const trpc = useTRPC();
  const table = useQuery(trpc.tables.get.queryOptions({ params: { id } }));
  if (table.error && !table.data) {
    if (readApiError(table.error).code === 'NOT_FOUND') return <PageNotFoundState />;
    return (
      <ScrollingPage>
        <RequestErrorAlert title="The table can’t be shown" error={table.error} onRetry={() => void table.refetch()} />
      </ScrollingPage>
    );
  }
  return <ScrollingPage>{table.data ? <TableRows table={table.data} /> : <ListSkeleton rows={8} />}</ScrollingPage>;
}

const rowCountText = (rows: number) => `${rows.toLocaleString()} ${rows === 1 ? 'row' : 'rows'}`;

function TableRows({ table }: { table: TableDetails }) {
  const router = useRouter();
  const canWrite = useObjectPermission('table', 'write', table.id) ?? false;
  const [filter, setFilter] = useState(EMPTY_ROW_FILTER);
  const [sort, setSort] = useState<string>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [dialog, setDialog] = useState<TableDialog>();
  const [wanted] = useDebouncedValue(filter, 300);
  const { filter: meant } = buildRowFilter(table, wanted);
  const { rows, isLoading, error, more } = useTableRows(table.id, meant, sort);
  const close = () => setDialog(undefined);
  return (
    <>
      <PageHeader title={table.name} summary={rowCountText(table.rows)}>
        {canWrite && (
          <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setDialog('row')}>
            New row
          </Button>
        )}
        <TableMenu table={table} canWrite={canWrite} filter={meant} sort={sort} onOpen={setDialog} />
      </PageHeader>
      <FilterBar table={table} filter={filter} errors={buildRowFilter(table, filter).faults} onChange={setFilter} />
      {selected.size > 0 && (
        <Group mb="sm">
          <Button
            size="xs"
            color="madder"
            leftSection={<IconTrash size={14} aria-hidden />}
            onClick={() => setDialog('deleteRows')}
          >
            Delete {rowCountText(selected.size)}
          </Button>
        </Group>
      )}
      {error !== null && <FormErrorAlert>{apiErrorSentence(error)}</FormErrorAlert>}
      {error === null && isLoading && rows.length === 0 && <ListSkeleton rows={8} />}
      {error === null && !isLoading && rows.length === 0 && (
        <EmptyState art={<EmptyListArt />} title={meant ? 'No results' : 'No rows yet'}>
          {meant
            ? 'No row meets these conditions.'
            : canWrite
              ? 'Add a row, import a CSV file, or let a workflow write here.'
              : 'Workflows, and people whose roles include it, write rows here.'}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <RowGrid
          table={table}
          rows={rows}
          sort={sort}
          canWrite={canWrite}
          selected={selected}
          onSort={setSort}
          onSelect={setSelected}
          more={more}
        />
      )}
      {dialog === 'row' && <NewRow table={table} onClose={close} />}
      {dialog === 'import' && <ImportDialog table={table} onClose={close} />}
      {dialog === 'columns' && <TableForm table={table} onDone={close} onClose={close} />}
      {dialog === 'deleteTable' && (
        <DeleteTableDialog table={table} onDeleted={() => router.push('/tables')} onClose={close} />
      )}
      {dialog === 'deleteRows' && (
        <DeleteRowsDialog table={table} ids={[...selected]} onDeleted={() => setSelected(new Set())} onClose={close} />
      )}
    </>
  );
}

interface DeleteTableProps {
  table: TableDetails;
  onDeleted(): void;
  onClose(): void;
}

function DeleteTableDialog({ table: { id, name, rows }, onDeleted, onClose }: DeleteTableProps) {
  const remove = useMutation(useTRPC().tables.delete.mutationOptions({ onSuccess: onDeleted }));
  return (
    <ConfirmDialog
      isOpen
      title={`Delete ${name}?`}
      action="Delete"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { id } })}
      onClose={onClose}
    >
      Its {rowCountText(rows)} are deleted with it, and workflows that use it fail. You can’t undo this.
    </ConfirmDialog>
  );
}

function DeleteRowsDialog({ table: { id }, ids, onDeleted, onClose }: DeleteTableProps & { ids: string[] }) {
  const refresh = useInvalidateQueries();
  const remove = useMutation(
    useTRPC().rows.deleteMatching.mutationOptions({
      onSuccess: () => {
        refresh();
        onDeleted();
        onClose();
      },
    }),
  );
  // The filter is part of a URL, which has room for this number of ids.
  const some = ids.slice(0, 300);
  const filter = JSON.stringify({ column: 'id', operator: 'in', value: some });
  return (
    <ConfirmDialog
      isOpen
      title={`Delete ${rowCountText(some.length)}?`}
      action="Delete"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { id }, query: { filter } })}
      onClose={onClose}
    >
      You can’t undo this.
    </ConfirmDialog>
  );
}
