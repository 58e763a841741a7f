'use client';

import { Button, Group, Switch, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuditFilter, AuditLogLine } from '@/contract/audit';
import { useTRPC } from '@/components/client/trpc';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { QueryList } from '@/components/ui/lists/QueryList';
import { PageSection } from '@/components/ui/page/PageSection';
import { EmptyListArt } from '@/components/ui/art/EmptyListArt';
import { AuditDetail } from './AuditDetail';
import { AuditExport } from './AuditExport';
import { AuditFilters } from './AuditFilters';
import { AuditTable } from './AuditTable';
import { AuditVerification } from './AuditVerification';

const AUDIT_LINES_PER_PAGE = 50;
/** Polling interval of the live mode. */
const AUDIT_REFRESH_MS = 2000;

export function AuditLog() {
  const trpc = useTRPC();
  const [filter, setFilter] = useState<AuditFilter>({});
  /** For each page up to the shown one, the id after which it begins. The first page has none. */
  const [path, setPath] = useState<string[]>([]);
  const [open, setOpen] = useState<AuditLogLine>();
  const [isGrouped, setGrouped] = useState(true);
  const [isLive, setLive] = useState(false);
  const entries = useQuery(
    trpc.audit.lines.queryOptions(
      {
        query: {
          ...filter,
          limit: String(AUDIT_LINES_PER_PAGE),
          before: path.at(-1),
          grouped: isGrouped ? 'true' : 'false',
        },
      },
      { placeholderData: keepPreviousData, refetchInterval: isLive && path.length === 0 ? AUDIT_REFRESH_MS : false },
    ),
  );
  const next = entries.data?.next;
  const change = (wanted: AuditFilter) => {
    setFilter(wanted);
    setPath([]);
  };
  return (
    <PageSection
      title="Audit log"
      summary="Who did what, from where and with which result. Entries can’t be changed."
      aside={
        <Group gap="md">
          <Switch
            label="Group saves"
            checked={isGrouped}
            onChange={(event) => {
              setGrouped(event.currentTarget.checked);
              setPath([]);
            }}
          />
          <Switch
            label="Live"
            checked={isLive}
            onChange={(event) => {
              setLive(event.currentTarget.checked);
              setPath([]);
            }}
          />
          <AuditExport filter={filter} />
        </Group>
      }
    >
      <AuditVerification />
      <AuditFilters filter={filter} onChange={change} />
      <QueryList
        of="entries"
        query={entries}
        empty={
          <EmptyState art={<EmptyListArt />} title="No results">
            <Text component="span">No entry matches these filters.</Text>
          </EmptyState>
        }
      >
        {(lines) => <AuditTable lines={lines} onOpen={setOpen} />}
      </QueryList>
      {(path.length > 0 || next) && (
        <Group justify="center" mt="lg">
          <Button variant="default" disabled={path.length === 0} onClick={() => setPath(path.slice(0, -1))}>
            Newer
          </Button>
          <Button variant="default" disabled={!next} onClick={() => next && setPath([...path, next])}>
            Older
          </Button>
        </Group>
      )}
      <AuditDetail
        line={open}
        onFilter={(wanted) => {
          change(wanted);
          setOpen(undefined);
        }}
        onUngroup={(filtered) => {
          setGrouped(false);
          change(filtered);
          setOpen(undefined);
        }}
        onClose={() => setOpen(undefined)}
      />
    </PageSection>
  );
}
