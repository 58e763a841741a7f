'use client';

import { Group, Switch, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuditEntry, AuditFilter } from '@/contract/audit';
import { useTRPC } from '@/components/client/trpc';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { Listing } from '@/components/ui/Listing';
import { Pages } from '@/components/ui/Pages';
import { Section } from '@/components/ui/Section';
import { EmptyListArt } from '@/components/ui/art/EmptyListArt';
import { AuditDetail } from './AuditDetail';
import { AuditExport } from './AuditExport';
import { AuditFilters } from './AuditFilters';
import { AuditTable } from './AuditTable';
import { AuditVerification } from './AuditVerification';

const PER_PAGE = 50;
/** Polling interval of the live mode. */
const LIVE_MS = 2000;

export function AuditLog() {
  const trpc = useTRPC();
  const [filter, setFilter] = useState<AuditFilter>({});
  const [page, setPage] = useState(1);
  const [open, setOpen] = useState<AuditEntry>();
  const [isLive, setLive] = useState(false);
  const entries = useQuery(
    trpc.audit.list.queryOptions(
      { query: { ...filter, limit: PER_PAGE, offset: (page - 1) * PER_PAGE } },
      { placeholderData: keepPreviousData, refetchInterval: isLive && page === 1 ? LIVE_MS : false },
    ),
  );
  const change = (next: AuditFilter) => {
    setFilter(next);
    setPage(1);
  };
  return (
    <Section
      title="Audit log"
      summary="Who did what, from where and with which result. Entries can’t be changed."
      aside={
        <Group gap="md">
          <Switch
            label="Live"
            checked={isLive}
            onChange={(event) => {
              setLive(event.currentTarget.checked);
              setPage(1);
            }}
          />
          <AuditExport filter={filter} />
        </Group>
      }
    >
      <AuditVerification />
      <AuditFilters filter={filter} onChange={change} />
      <Listing
        of="entries"
        query={entries}
        empty={
          <EmptyState art={<EmptyListArt />} title="No results">
            <Text component="span">No entry matches these filters.</Text>
          </EmptyState>
        }
      >
        {(items) => <AuditTable entries={items} onOpen={setOpen} />}
      </Listing>
      <Pages total={entries.data?.total} perPage={PER_PAGE} page={page} onChange={setPage} />
      <AuditDetail
        entry={open}
        onFilter={(next) => {
          change(next);
          setOpen(undefined);
        }}
        onClose={() => setOpen(undefined)}
      />
    </Section>
  );
}
