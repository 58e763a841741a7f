'use client';

import { Button, Group } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { problemOf, sentence } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { useMay } from '@/components/client/useMay';
import { useRefresh } from '@/components/client/useRefresh';
import { Confirm } from '@/components/ui/Confirm';
import { Page } from '@/components/ui/page/Page';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { EmptyListArt } from '@/components/ui/art/EmptyListArt';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { ErrorNote } from '@/components/ui/states/ErrorNote';
import { FailureNote } from '@/components/ui/states/FailureNote';
import { ListSkeleton } from '@/components/ui/states/ListSkeleton';
import { NotFound } from '@/components/ui/states/NotFound';
import { FilterBar } from './FilterBar';
import { ImportDialog } from './ImportDialog';
import { NewRow } from './NewRow';
import { RowGrid } from './RowGrid';
import { TableForm } from './TableForm';
import { TableMenu, type TableDialog } from './TableMenu';
import { filterOf, NO_FILTER } from './filter-state';
import type { ShownTable } from './types';
import { useRows } from './useRows';

/** One table: its rows, and what can be done with them. */
export function TablePage({ id }: { id: string }) {
  const trpc = useTRPC();
  const table = useQuery(trpc.tables.get.queryOptions({ params: { id } }));
  if (table.error && !table.data) {
    if (problemOf(table.error).code === 'NOT_FOUND') return <NotFound />;
    return (
      <Page>
        <FailureNote title="The table can’t be shown" error={table.error} onRetry={() => void table.refetch()} />
      </Page>
    );
  }
  return <Page>{table.data ? <TableRows table={table.data} /> : <ListSkeleton rows={8} />}</Page>;
}

const count = (rows: number) => `${rows.toLocaleString()} ${rows === 1 ? 'row' : 'rows'}`;

function TableRows({ table }: { table: ShownTable }) {
  const router = useRouter();
  const canWrite = useMay('table', 'write', table.id) ?? false;
  const [filter, setFilter] = useState(NO_FILTER);
  const [sort, setSort] = useState<string>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [dialog, setDialog] = useState<TableDialog>();
  const [wanted] = useDebouncedValue(filter, 300);
  const { filter: meant } = filterOf(table, wanted);
  const { rows, isLoading, error, more } = useRows(table.id, meant, sort);
  const close = () => setDialog(undefined);
  return (
    <>
      <PageHeader title={table.name} summary={count(table.rows)}>
        {canWrite && (
          <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setDialog('row')}>
            New row
          </Button>
        )}
        <TableMenu table={table} canWrite={canWrite} filter={meant} sort={sort} onOpen={setDialog} />
      </PageHeader>
      <FilterBar table={table} filter={filter} errors={filterOf(table, filter).faults} onChange={setFilter} />
      {selected.size > 0 && (
        <Group mb="sm">
          <Button
            size="xs"
            color="madder"
            leftSection={<IconTrash size={14} aria-hidden />}
            onClick={() => setDialog('deleteRows')}
          >
            Delete {count(selected.size)}
          </Button>
        </Group>
      )}
      {error !== null && <ErrorNote>{sentence(error)}</ErrorNote>}
      {error === null && isLoading && rows.length === 0 && <ListSkeleton rows={8} />}
      {error === null && !isLoading && rows.length === 0 && (
        <EmptyState art={<EmptyListArt />} title={meant ? 'No results' : 'No rows yet'}>
          {meant ? 'No row meets these conditions.' : 'Add a row, import a CSV file, or let a workflow write here.'}
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
        <DeleteTable table={table} onDeleted={() => router.push('/tables')} onClose={close} />
      )}
      {dialog === 'deleteRows' && (
        <DeleteRows table={table} ids={[...selected]} onDeleted={() => setSelected(new Set())} onClose={close} />
      )}
    </>
  );
}

interface DeleteProps {
  table: ShownTable;
  onDeleted(): void;
  onClose(): void;
}

function DeleteTable({ table: { id, name, rows }, onDeleted, onClose }: DeleteProps) {
  const remove = useMutation(useTRPC().tables.delete.mutationOptions({ onSuccess: onDeleted }));
  return (
    <Confirm
      isOpen
      title={`Delete ${name}?`}
      action="Delete"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { id } })}
      onClose={onClose}
    >
      Its {count(rows)} are deleted with it, and workflows that use it fail. You can’t undo this.
    </Confirm>
  );
}

function DeleteRows({ table: { id }, ids, onDeleted, onClose }: DeleteProps & { ids: string[] }) {
  const refresh = useRefresh();
  const remove = useMutation(
    useTRPC().rows.deleteMatching.mutationOptions({
      onSuccess: () => {
        refresh();
        onDeleted();
        onClose();
      },
    }),
  );
  // A filter in an address takes so many ids.
  const some = ids.slice(0, 300);
  const filter = JSON.stringify({ column: 'id', operator: 'in', value: some });
  return (
    <Confirm
      isOpen
      title={`Delete ${count(some.length)}?`}
      action="Delete"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { id }, query: { filter } })}
      onClose={onClose}
    >
      You can’t undo this.
    </Confirm>
  );
}
