'use client';

import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTRPC } from '@/components/client/trpc';
import { useAddressState } from '@/components/client/useAddressState';
import { useDelayedSearch } from '@/components/client/useDelayedSearch';
import { NAMED_LIST_ADDRESS } from '@/components/ui/lists/named-list';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { EmptyCredentialsArt } from '@/components/ui/art/EmptyCredentialsArt';
import { QueryList } from '@/components/ui/lists/QueryList';
import { ScrollingPage } from '@/components/ui/page/ScrollingPage';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { ListPagination } from '@/components/ui/lists/ListPagination';
import { CreateCredential } from './CreateCredential';
import { CredentialTable } from './CredentialTable';
import { SearchInput } from '@/components/ui/SearchInput';

const CREDENTIALS_PER_PAGE = 25;

export function CredentialList() {
  const trpc = useTRPC();
  const router = useRouter();
  const [state, setState] = useAddressState(NAMED_LIST_ADDRESS);
  const { search, sort, page } = state;
  const { search: wanted } = useDelayedSearch(state);
  const [isCreating, creating] = useDisclosure(false);
  const query = {
    search: wanted || undefined,
    sort,
    limit: CREDENTIALS_PER_PAGE,
    offset: (page - 1) * CREDENTIALS_PER_PAGE,
  };
  const credentials = useQuery(trpc.credentials.list.queryOptions({ query }, { placeholderData: keepPreviousData }));
  const create = (
    <PermittedButton to="credential:create">
      <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={creating.open}>
        New credential
      </Button>
    </PermittedButton>
  );
  return (
    <ScrollingPage>
      <PageHeader
        title="Credentials"
        summary="API keys, passwords and accounts that workflows use. Stored secrets are never shown again."
      >
        {create}
      </PageHeader>
      <Group mb="md">
        <SearchInput
          label="Search credentials"
          placeholder="Search by name"
          value={search}
          flex={1}
          maxLength={200}
          onChange={(text) => setState({ ...state, search: text, page: 1 })}
        />
      </Group>
      <QueryList
        of="credentials"
        query={credentials}
        empty={
          <EmptyState
            art={<EmptyCredentialsArt />}
            title={wanted ? 'No results' : 'No credentials yet'}
            action={!wanted && create}
          >
            {wanted
              ? 'No credential matches this search.'
              : 'Connect an account or save an API key once, then use it in any workflow.'}
          </EmptyState>
        }
      >
        {(items) => (
          <CredentialTable
            credentials={items}
            sort={sort}
            onSort={(next) => setState({ ...state, sort: next, page: 1 })}
          />
        )}
      </QueryList>
      <ListPagination
        query={credentials}
        perPage={CREDENTIALS_PER_PAGE}
        page={page}
        onChange={(next) => setState({ ...state, page: next })}
      />
      <CreateCredential
        isOpen={isCreating}
        onCreated={(id) => router.push(`/credentials/${id}`)}
        onClose={creating.close}
      />
    </ScrollingPage>
  );
}
