'use client';

import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Alert } from '@/contract/alert';
import { useTRPC } from '@/components/client/trpc';
import { useRefresh } from '@/components/client/useRefresh';
import { Confirm } from '@/components/ui/Confirm';
import { Listing } from '@/components/ui/lists/Listing';
import { Pages } from '@/components/ui/lists/Pages';
import { Permitted } from '@/components/ui/Permitted';
import { Section } from '@/components/ui/page/Section';
import { EmptyCredentialsArt } from '@/components/ui/art/EmptyCredentialsArt';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { AlertForm } from './AlertForm';
import { AlertTable } from './AlertTable';
import { EVENT_WORDS } from './words';

const PER_PAGE = 50;

export function AlertList() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [page, setPage] = useState(1);
  const [isCreating, creating] = useDisclosure(false);
  const [changed, setChanged] = useState<Alert>();
  const [removed, setRemoved] = useState<Alert>();
  const query = { limit: String(PER_PAGE), offset: String((page - 1) * PER_PAGE) };
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
    <Section
      title="Alerts"
      summary="Send an email or call a webhook when runs fail or recover, a schedule is missed, or a credential expires."
      aside={
        <Permitted to="alert:create">
          <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={creating.open}>
            New alert
          </Button>
        </Permitted>
      }
    >
      <Listing
        of="alerts"
        query={alerts}
        empty={
          <EmptyState art={<EmptyCredentialsArt />} title="No alerts">
            Without alerts, failed runs are shown only in the list of runs.
          </EmptyState>
        }
      >
        {(items) => <AlertTable alerts={items} onChange={setChanged} onRemove={setRemoved} />}
      </Listing>
      <Pages total={alerts.data?.total} perPage={PER_PAGE} page={page} onChange={setPage} />
      {isCreating && <AlertForm alert={undefined} onClose={creating.close} />}
      {changed && <AlertForm alert={changed} onClose={() => setChanged(undefined)} />}
      <Confirm
        isOpen={removed !== undefined}
        title="Delete this alert?"
        action="Delete"
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => removed && remove.mutate({ params: { id: removed.id } })}
        onClose={() => setRemoved(undefined)}
      >
        <Text size="sm">“{removed && EVENT_WORDS[removed.event]}” is no longer sent.</Text>
      </Confirm>
    </Section>
  );
}
