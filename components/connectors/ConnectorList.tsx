'use client';

import { Button, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { DirectoryService } from '@/contract/connectors/directory';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { useConnectors } from '@/components/client/queries/useConnectors';
import { rankEntries } from '@/components/ui/choosing/search-ranking';
import { QueryList } from '@/components/ui/lists/QueryList';
import { ScrollingPage } from '@/components/ui/page/ScrollingPage';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { SearchInput } from '@/components/ui/SearchInput';
import { ConnectorCard } from './ConnectorCard';
import { ConnectorPanel } from './ConnectorPanel';

const AddConnector = lazyWithPreload(() => import('./custom/AddConnector').then((module) => module.AddConnector));

const AddService = lazyWithPreload(() => import('./directory/AddService').then((module) => module.AddService));
const LazyServiceDirectory = lazyWithPreload(() =>
  import('./directory/ServiceDirectory').then((module) => module.ServiceDirectory),
);

export function ConnectorList() {
  const connectors = useConnectors();
  const [openId, setOpenId] = useState<string>();
  const [isAdding, setAdding] = useState(false);
  const [service, setService] = useState<DirectoryService>();
  const [search, setSearch] = useState('');
  const onAdded = ({ id }: ConnectorResponse) => {
    setAdding(false);
    setService(undefined);
    setOpenId(id);
  };
  return (
    <ScrollingPage>
      <PageHeader
        title="Connectors"
        summary="Services that workflows can call. An account is connected by a token, or by an app that is registered at the provider."
      >
        <PermittedButton to="connector:create">
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
            Add from OpenAPI
          </Button>
        </PermittedButton>
      </PageHeader>
      <SearchInput
        label="Search connectors and the directory"
        placeholder="Search connectors and the directory"
        mb="md"
        value={search}
        onChange={setSearch}
      />
      <QueryList of="connectors" query={connectors} empty={<Text c="dimmed">This service has no connectors.</Text>}>
        {(items) => (
          <Stack>
            <ConnectorGroups items={items} search={search} onOpen={setOpenId} />
            <ConnectorPanel connector={items.find(({ id }) => id === openId)} onClose={() => setOpenId(undefined)} />
          </Stack>
        )}
      </QueryList>
      <LazyServiceDirectory search={search} onAdd={setService} onOpen={setOpenId} />
      {isAdding && <AddConnector onAdded={onAdded} onClose={() => setAdding(false)} />}
      {service && <AddService service={service} onAdded={onAdded} onClose={() => setService(undefined)} />}
    </ScrollingPage>
  );
}

interface ConnectorGroupsProps {
  items: ConnectorResponse[];
  search: string;
  onOpen(id: string): void;
}

/** The connectors that a search finds; those of the workspace first, if it has any. */
function ConnectorGroups({ items, search, onOpen }: ConnectorGroupsProps) {
  const entries = useMemo(
    () =>
      items.map((connector) => ({
        title: connector.name,
        description: connector.description,
        words: [...connector.synonyms, ...connector.services.flatMap(({ name, synonyms }) => [name, ...synonyms])],
        connector,
      })),
    [items],
  );
  const found = search.trim() === '' ? items : rankEntries(search, entries).map(({ connector }) => connector);
  const own = found.filter(({ isCustom }) => isCustom);
  const others = found.filter(({ isCustom }) => !isCustom);
  if (found.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No connector is found.
      </Text>
    );
  const cards = (list: ConnectorResponse[]) => (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      {list.map((connector) => (
        <ConnectorCard key={connector.id} connector={connector} onOpen={() => onOpen(connector.id)} />
      ))}
    </SimpleGrid>
  );
  if (own.length === 0) return cards(others);
  return (
    <>
      <Title order={2} fz="md">
        From OpenAPI documents
      </Title>
      {cards(own)}
      {others.length > 0 && (
        <Title order={2} fz="md" mt="md">
          Included
        </Title>
      )}
      {cards(others)}
    </>
  );
}
