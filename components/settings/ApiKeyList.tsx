'use client';

import { Button, Code, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '@/contract/api-key';
import { useTRPC } from '../client/trpc';
import { useRefresh } from '../client/useRefresh';
import { Permitted } from '../shell/Permitted';
import { Confirm } from '../ui/Confirm';
import { EmptyState } from '../ui/EmptyState';
import { KeyArt } from '../ui/KeyArt';
import { Listing } from '../ui/Listing';
import { Pages } from '../ui/Pages';
import { Section } from '../ui/Section';
import { CreateApiKey } from './CreateApiKey';
import { ApiKeyTable } from './ApiKeyTable';

const PER_PAGE = 50;

export function ApiKeyList() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [page, setPage] = useState(1);
  const [isCreating, creating] = useDisclosure(false);
  const [leaving, setLeaving] = useState<ApiKey>();
  const keys = useQuery(trpc.apiKeys.list.queryOptions({ query: { limit: PER_PAGE, offset: (page - 1) * PER_PAGE } }));
  const revoke = useMutation(
    trpc.apiKeys.delete.mutationOptions({
      onSuccess: () => {
        setLeaving(undefined);
        refresh();
      },
    }),
  );
  return (
    <Section
      title="API keys"
      summary="For scripts. A key may do what its creator may do here, cut down by its scopes."
      aside={
        <Permitted to="api_key:create">
          <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={creating.open}>
            New key
          </Button>
        </Permitted>
      }
    >
      <Listing
        of="keys"
        query={keys}
        empty={
          <EmptyState art={<KeyArt />} title="No API keys">
            Scripts sign in with a key in the X-API-Key header.
          </EmptyState>
        }
      >
        {(items) => <ApiKeyTable keys={items} onRevoke={setLeaving} />}
      </Listing>
      <Pages total={keys.data?.total} perPage={PER_PAGE} page={page} onChange={setPage} />
      <CreateApiKey isOpen={isCreating} onClose={creating.close} />
      <Confirm
        isOpen={leaving !== undefined}
        title={`Revoke “${leaving?.name ?? ''}”?`}
        action="Revoke"
        isBusy={revoke.isPending}
        error={revoke.error}
        onConfirm={() => leaving && revoke.mutate({ params: { id: leaving.id } })}
        onClose={() => setLeaving(undefined)}
      >
        <Text>
          Whatever uses <Code>{leaving?.key}</Code> stops working at once.
        </Text>
      </Confirm>
    </Section>
  );
}
