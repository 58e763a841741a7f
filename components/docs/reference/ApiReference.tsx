'use client';

import { Anchor, Text, TextInput, Title } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { ListSkeleton } from '@/components/ui/states/ListSkeleton';
import { ScrollingPage } from '@/components/ui/page/ScrollingPage';
import { PageHeader } from '@/components/ui/page/PageHeader';
import classes from './ApiReference.module.css';
import { groupOperations, type ReferenceDocument } from './document';
import { OperationEntry } from './OperationEntry';

async function fetchApiDocument(): Promise<ReferenceDocument> {
  const answer = await fetch('/openapi.json');
  if (!answer.ok) throw new Error(`The service answered ${answer.status}.`);
  return (await answer.json()) as ReferenceDocument;
}

/**
 * The operation that the address names: `#workflows.list`, or `#/Workflows/workflows.list` as earlier versions wrote
 * it.
 */
const operationIdInUrl = () => decodeURIComponent(location.hash).replace(/^#(.*\/)?/, '');

/** The API reference, made from the OpenAPI document. Calls use the session of the signed-in user. */
export function ApiReference() {
  const { data, error, refetch } = useQuery({
    queryKey: ['openapi'],
    queryFn: fetchApiDocument,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [search, setSearch] = useState('');
  const [openId, setOpenId] = useState('');
  const groups = useMemo(() => (data ? groupOperations(data, search) : []), [data, search]);
  useEffect(() => {
    if (!data) return;
    const id = operationIdInUrl();
    setOpenId(id);
    if (id !== '') document.getElementById(id)?.scrollIntoView();
  }, [data]);
  return (
    <ScrollingPage>
      <PageHeader
        title="API"
        summary="Every operation of the service. Requests sent here run as you, in this workspace."
      >
        <Anchor href="/openapi.json">openapi.json</Anchor>
        <Anchor href="/openapi.yaml">openapi.yaml</Anchor>
      </PageHeader>
      <TextInput
        type="search"
        mb="lg"
        aria-label="Search operations"
        placeholder="Words of an operation or its path"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {error && (
        <RequestErrorAlert title="The API reference can’t be shown" error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && <ListSkeleton rows={8} />}
      {data && groups.length === 0 && <Text c="dimmed">No operation has these words.</Text>}
      {data &&
        groups.map(({ name, description, entries }) => (
          <section key={name} aria-label={name} className={classes.group}>
            <Title order={2} fz="md">
              {name}
            </Title>
            {description && description !== name && (
              <Text size="sm" c="dimmed">
                {description}
              </Text>
            )}
            <div className={classes.list}>
              {entries.map((entry) => (
                <OperationEntry key={entry.id} document={data} entry={entry} isNamed={entry.id === openId} />
              ))}
            </div>
          </section>
        ))}
    </ScrollingPage>
  );
}
