'use client';

import { Button, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { NamedListSort } from '@/contract/list-sort';
import { useAddressState } from '@/components/client/useAddressState';
import { AppLink } from '@/components/ui/AppLink';
import { NAMED_LIST_ADDRESS } from '@/components/ui/lists/named-list';
import { SortableHeader } from '@/components/ui/lists/SortableHeader';
import { useRouter } from 'next/navigation';
import { useTRPC } from '@/components/client/trpc';
import { QueryList } from '@/components/ui/lists/QueryList';
import { ScrollingPage } from '@/components/ui/page/ScrollingPage';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { ListPagination } from '@/components/ui/lists/ListPagination';
import { PermittedButton } from '@/components/ui/PermittedButton';
import classes from '@/components/ui/lists/Table.module.css';
import { EmptyListArt } from '@/components/ui/art/EmptyListArt';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { TableForm } from './TableForm';
import type { TableDetails } from './types';

const TABLES_PER_PAGE = 50;

/** The tables of the workspace. */
export function TableList() {
  const trpc = useTRPC();
  const router = useRouter();
  const [state, setState] = useAddressState(NAMED_LIST_ADDRESS);
  const { sort, page } = state;
  const [isCreating, creating] = useDisclosure(false);
  const query = { sort, limit: String(TABLES_PER_PAGE), offset: String((page - 1) * TABLES_PER_PAGE) };
  const tables = useQuery(trpc.tables.list.queryOptions({ query }, { placeholderData: keepPreviousData }));
  const create = (
    <PermittedButton to="table:create">
      <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={creating.open}>
        New table
      </Button>
    </PermittedButton>
  );
  return (
    <ScrollingPage>
      <PageHeader title="Tables" summary="Rows that workflows and members of this workspace read and write.">
        {create}
      </PageHeader>
      <QueryList
        of="tables"
        query={tables}
        empty={
          <EmptyState art={<EmptyListArt />} title="No tables yet" action={create}>
            Keep customers, orders or counters here. Define columns yourself, or take them from a CSV file.
          </EmptyState>
        }
      >
        {(items) => (
          <TableListRows tables={items} sort={sort} onSort={(next) => setState({ ...state, sort: next, page: 1 })} />
        )}
      </QueryList>
      <ListPagination
        query={tables}
        perPage={TABLES_PER_PAGE}
        page={page}
        onChange={(next) => setState({ ...state, page: next })}
      />
      {isCreating && <TableForm onDone={(id) => router.push(`/tables/${id}`)} onClose={creating.close} />}
    </ScrollingPage>
  );
}

interface TableListRowsProps {
  tables: TableDetails[];
  sort: NamedListSort;
  onSort(sort: NamedListSort): void;
}

function TableListRows({ tables, sort, onSort }: TableListRowsProps) {
  return (
    <div className={classes.frame}>
      <Table className={classes.table} verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <SortableHeader label="Name" first="name" sort={sort} onSort={onSort} />
            <Table.Th ta="right">Rows</Table.Th>
            <Table.Th visibleFrom="sm">Columns</Table.Th>
            <SortableHeader visibleFrom="sm" label="Changed" first="-updatedAt" sort={sort} onSort={onSort} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tables.map(({ id, name, rows, columns, updatedAt }) => (
            <Table.Tr key={id} className={classes.row}>
              <Table.Td>
                <AppLink href={`/tables/${id}`} className={classes.link}>
                  {name}
                </AppLink>
              </Table.Td>
              <Table.Td ta="right">{rows.toLocaleString()}</Table.Td>
              <Table.Td visibleFrom="sm">
                <Text size="sm" c="dimmed" lineClamp={1}>
                  {columns.map((column) => column.name).join(', ') || '–'}
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <TimeAgo at={updatedAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
