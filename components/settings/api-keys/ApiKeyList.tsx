'use client';

import { Button, Code, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKeyResponse } from '@/contract/access/api-key';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { ConfirmDialog } from '@/components/ui/ConfirmDialog';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { EmptyCredentialsArt } from '@/components/ui/art/EmptyCredentialsArt';
import { QueryList } from '@/components/ui/lists/QueryList';
import { ListPagination } from '@/components/ui/lists/ListPagination';
import { PageSection } from '@/components/ui/page/PageSection';
import { CreateApiKey } from './CreateApiKey';
import { ApiKeyTable } from './ApiKeyTable';

const API_KEYS_PER_PAGE = 50;

export function ApiKeyList() {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const [page, setPage] = useState(1);
  const [isCreating, creating] = useDisclosure(false);
  const [revoking, setRevoking] = useState<ApiKeyResponse>();
  const keys = useQuery(
    trpc.apiKeys.list.queryOptions({ query: { limit: API_KEYS_PER_PAGE, offset: (page - 1) * API_KEYS_PER_PAGE } }),
  );
  const revoke = useMutation(
    trpc.apiKeys.delete.mutationOptions({
      onSuccess: () => {
        setRevoking(undefined);
        refresh();
      },
    }),
  );
  return (
    <PageSection
      title="API keys"
      summary="Keys for scripts. A key has the permissions of its creator in this workspace, limited by its scopes."
      aside={
        <PermittedButton to="api_key:create">
          <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={creating.open}>
            New API key
          </Button>
        </PermittedButton>
      }
    >
      <QueryList
        of="keys"
        query={keys}
        empty={
          <EmptyState art={<EmptyCredentialsArt />} title="No API keys">
            Scripts send an API key in the X-API-Key header.
          </EmptyState>
        }
      >
        {(items) => <ApiKeyTable keys={items} onRevoke={setRevoking} />}
      </QueryList>
      <ListPagination query={keys} perPage={API_KEYS_PER_PAGE} page={page} onChange={setPage} />
      <CreateApiKey isOpen={isCreating} onClose={creating.close} />
      <ConfirmDialog
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
      </ConfirmDialog>
    </PageSection>
  );
}
