'use client';

import { Button, Group } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTRPC } from '@/components/client/trpc';
import { Permitted } from '@/components/ui/Permitted';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { EmptyCredentialsArt } from '@/components/ui/art/EmptyCredentialsArt';
import { Listing } from '@/components/ui/lists/Listing';
import { Page } from '@/components/ui/page/Page';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { Pages } from '@/components/ui/lists/Pages';
import { CreateCredential } from './CreateCredential';
import { CredentialTable } from './CredentialTable';
import { SearchInput } from '@/components/ui/SearchInput';

const PER_PAGE = 25;

export function CredentialList() {
  const trpc = useTRPC();
  const router = useRouter();
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 200);
  const [page, setPage] = useState(1);
  const [isCreating, creating] = useDisclosure(false);
  const query = { search: wanted || undefined, limit: PER_PAGE, offset: (page - 1) * PER_PAGE };
  const credentials = useQuery(trpc.credentials.list.queryOptions({ query }, { placeholderData: keepPreviousData }));
  const create = (
    <Permitted to="credential:create">
      <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={creating.open}>
        New credential
      </Button>
    </Permitted>
  );
  return (
    <Page>
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
          onChange={(text) => {
            setSearch(text);
            setPage(1);
          }}
        />
      </Group>
      <Listing
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
        {(items) => <CredentialTable credentials={items} />}
      </Listing>
      <Pages total={credentials.data?.total} perPage={PER_PAGE} page={page} onChange={setPage} />
      <CreateCredential
        isOpen={isCreating}
        onCreated={(id) => router.push(`/credentials/${id}`)}
        onClose={creating.close}
      />
    </Page>
  );
}
