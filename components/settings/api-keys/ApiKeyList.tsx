'use client';

import { Button, Code, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '@/contract/access/api-key';
import { useTRPC } from '@/components/client/trpc';
import { useRefresh } from '@/components/client/useRefresh';
import { Permitted } from '@/components/ui/Permitted';
import { Confirm } from '@/components/ui/Confirm';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { EmptyCredentialsArt } from '@/components/ui/art/EmptyCredentialsArt';
import { Listing } from '@/components/ui/lists/Listing';
import { Pages } from '@/components/ui/lists/Pages';
import { Section } from '@/components/ui/page/Section';
import { CreateApiKey } from './CreateApiKey';
import { ApiKeyTable } from './ApiKeyTable';

const PER_PAGE = 50;

export function ApiKeyList() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [page, setPage] = useState(1);
  const [isCreating, creating] = useDisclosure(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const keys = useQuery(trpc.apiKeys.list.queryOptions({ query: { limit: PER_PAGE, offset: (page - 1) * PER_PAGE } }));
  const revoke = useMutation(
    trpc.apiKeys.delete.mutationOptions({
      onSuccess: () => {
        setRevoking(undefined);
        refresh();
      },
    }),
  );
  return (
    <Section
      title="API keys"
      summary="Keys for scripts. A key has the permissions of its creator in this workspace, limited by its scopes."
      aside={
        <Permitted to="api_key:create">
          <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={creating.open}>
            New API key
          </Button>
        </Permitted>
      }
    >
      <Listing
        of="keys"
        query={keys}
        empty={
          <EmptyState art={<EmptyCredentialsArt />} title="No API keys">
            Scripts send an API key in the X-API-Key header.
          </EmptyState>
        }
      >
        {(items) => <ApiKeyTable keys={items} onRevoke={setRevoking} />}
      </Listing>
      <Pages total={keys.data?.total} perPage={PER_PAGE} page={page} onChange={setPage} />
      <CreateApiKey isOpen={isCreating} onClose={creating.close} />
      <Confirm
        isOpen={revoking !== undefined}
        title={`Revoke “${revoking?.name ?? ''}”?`}
        action="Revoke"
        isBusy={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoking && revoke.mutate({ params: { id: revoking.id } })}
        onClose={() => setRevoking(undefined)}
      >
        <Text>
          All requests with <Code>{revoking?.key}</Code> fail at once.
        </Text>
      </Confirm>
    </Section>
  );
}
