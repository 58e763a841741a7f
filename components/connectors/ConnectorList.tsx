'use client';

import { Button, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { Connector } from '@/contract/connectors/connector';
import type { DirectoryService } from '@/contract/connectors/directory';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { useConnectors } from '@/components/client/queries/useConnectors';
import { ranked } from '@/components/ui/choosing/rank';
import { Listing } from '@/components/ui/lists/Listing';
import { Page } from '@/components/ui/page/Page';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { Permitted } from '@/components/ui/Permitted';
import { SearchInput } from '@/components/ui/SearchInput';
import { ConnectorCard } from './ConnectorCard';
import { RegistrationPanel } from './RegistrationPanel';

const AddConnector = lazyWithPreload(() => import('./custom/AddConnector').then((module) => module.AddConnector));

const AddService = lazyWithPreload(() => import('./directory/AddService').then((module) => module.AddService));
const Directory = lazyWithPreload(() => import('./directory/Directory').then((module) => module.Directory));

export function ConnectorList() {
  const connectors = useConnectors();
  const [openId, setOpenId] = useState<string>();
  const [isAdding, setAdding] = useState(false);
  const [service, setService] = useState<DirectoryService>();
  const [search, setSearch] = useState('');
  const onAdded = ({ id }: Connector) => {
    setAdding(false);
    setService(undefined);
    setOpenId(id);
  };
  return (
    <Page>
      <PageHeader
        title="Connectors"
        summary="Services that workflows can call. An account is connected by a token, or by an app that is registered at the provider."
      >
        <Permitted to="connector:create">
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
            Add from OpenAPI
          </Button>
        </Permitted>
      </PageHeader>
      <SearchInput
        label="Search connectors and the directory"
        placeholder="Search connectors and the directory"
        mb="md"
        value={search}
        onChange={setSearch}
      />
      <Listing of="connectors" query={connectors} empty={<Text c="dimmed">This service has no connectors.</Text>}>
        {(items) => (
          <Stack>
            <Groups items={items} search={search} onOpen={setOpenId} />
            <RegistrationPanel connector={items.find(({ id }) => id === openId)} onClose={() => setOpenId(undefined)} />
          </Stack>
        )}
      </Listing>
      <Directory search={search} onAdd={setService} onOpen={setOpenId} />
      {isAdding && <AddConnector onAdded={onAdded} onClose={() => setAdding(false)} />}
      {service && <AddService service={service} onAdded={onAdded} onClose={() => setService(undefined)} />}
    </Page>
  );
}

interface GroupsProps {
  items: Connector[];
  search: string;
  onOpen(id: string): void;
}

/** The connectors that a search finds; those of the workspace first, if it has any. */
function Groups({ items, search, onOpen }: GroupsProps) {
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
  const found = search.trim() === '' ? items : ranked(search, entries).map(({ connector }) => connector);
  const own = found.filter(({ isCustom }) => isCustom);
  const others = found.filter(({ isCustom }) => !isCustom);
  if (found.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No connector is found.
      </Text>
    );
  const cards = (list: Connector[]) => (
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
