'use client';

import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AlertResponse } from '@/contract/alert';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { ConfirmDialog } from '@/components/ui/ConfirmDialog';
import { QueryList } from '@/components/ui/lists/QueryList';
import { ListPagination } from '@/components/ui/lists/ListPagination';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { PageSection } from '@/components/ui/page/PageSection';
import { EmptyListArt } from '@/components/ui/art/EmptyListArt';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { AlertForm } from './AlertForm';
import { AlertTable } from './AlertTable';
import { ALERT_EVENT_LABELS } from './words';

const ALERTS_PER_PAGE = 50;

export function AlertList() {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const [page, setPage] = useState(1);
  const [isCreating, creating] = useDisclosure(false);
  const [changed, setChanged] = useState<AlertResponse>();
  const [removed, setRemoved] = useState<AlertResponse>();
  const query = { limit: String(ALERTS_PER_PAGE), offset: String((page - 1) * ALERTS_PER_PAGE) };
  const alerts = useQuery(trpc.alerts.list.queryOptions({ query }));
  const remove = useMutation(
    trpc.alerts.delete.mutationOptions({
      onSuccess: () => {
        setRemoved(undefined);
        refresh();
      },
    }),
  );
  return (
    <PageSection
      title="Alerts"
      summary="Send an email or call a webhook when runs fail or recover, a schedule is missed, or a credential expires."
      aside={
        <PermittedButton to="alert:create">
          <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={creating.open}>
            New alert
          </Button>
        </PermittedButton>
      }
    >
      <QueryList
        of="alerts"
        query={alerts}
        empty={
          <EmptyState art={<EmptyListArt />} title="No alerts">
            Without alerts, failed runs are shown only in the list of runs.
          </EmptyState>
        }
      >
        {(items) => <AlertTable alerts={items} onChange={setChanged} onRemove={setRemoved} />}
      </QueryList>
      <ListPagination query={alerts} perPage={ALERTS_PER_PAGE} page={page} onChange={setPage} />
      {isCreating && <AlertForm alert={undefined} onClose={creating.close} />}
      {changed && <AlertForm alert={changed} onClose={() => setChanged(undefined)} />}
      <ConfirmDialog
        isOpen={removed !== undefined}
        title="Delete this alert?"
        action="Delete"
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => removed && remove.mutate({ params: { id: removed.id } })}
        onClose={() => setRemoved(undefined)}
      >
        <Text size="sm">“{removed && ALERT_EVENT_LABELS[removed.event]}” is no longer sent.</Text>
      </ConfirmDialog>
    </PageSection>
  );
}
