'use client';

import { Button, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@/components/ui/Link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTRPC } from '@/components/client/trpc';
import { Listing } from '@/components/ui/lists/Listing';
import { Page } from '@/components/ui/page/Page';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { Pages } from '@/components/ui/lists/Pages';
import { Permitted } from '@/components/ui/Permitted';
import classes from '@/components/ui/lists/Table.module.css';
import { EmptyListArt } from '@/components/ui/art/EmptyListArt';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { TableForm } from './TableForm';
import type { ShownTable } from './types';

const PER_PAGE = 50;

/** The tables of the workspace. */
export function TableList() {
  const trpc = useTRPC();
  const router = useRouter();
  const [page, setPage] = useState(1);
  const [isCreating, creating] = useDisclosure(false);
  const query = { limit: String(PER_PAGE), offset: String((page - 1) * PER_PAGE) };
  const tables = useQuery(trpc.tables.list.queryOptions({ query }, { placeholderData: keepPreviousData }));
  const create = (
    <Permitted to="table:create">
      <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={creating.open}>
        New table
      </Button>
    </Permitted>
  );
  return (
    <Page>
      <PageHeader title="Tables" summary="Rows that workflows and members of this workspace read and write.">
        {create}
      </PageHeader>
      <Listing
        of="tables"
        query={tables}
        empty={
          <EmptyState art={<EmptyListArt />} title="No tables yet" action={create}>
            Keep customers, orders or counters here. Define columns yourself, or take them from a CSV file.
          </EmptyState>
        }
      >
        {(items) => <Rows tables={items} />}
      </Listing>
      <Pages total={tables.data?.total} perPage={PER_PAGE} page={page} onChange={setPage} />
      {isCreating && <TableForm onDone={(id) => router.push(`/tables/${id}`)} onClose={creating.close} />}
    </Page>
  );
}

function Rows({ tables }: { tables: ShownTable[] }) {
  return (
    <div className={classes.frame}>
      <Table className={classes.table} verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th ta="right">Rows</Table.Th>
            <Table.Th visibleFrom="sm">Columns</Table.Th>
            <Table.Th visibleFrom="sm">Changed</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tables.map(({ id, name, rows, columns, updatedAt }) => (
            <Table.Tr key={id} className={classes.row}>
              <Table.Td>
                <Link href={`/tables/${id}`} className={classes.link}>
                  {name}
                </Link>
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
