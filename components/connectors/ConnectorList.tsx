'use client';

import { Button, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Connector } from '@/contract/connectors/connector';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { useConnectors } from '@/components/client/queries/useConnectors';
import { Listing } from '@/components/ui/lists/Listing';
import { Page } from '@/components/ui/page/Page';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { Permitted } from '@/components/ui/Permitted';
import { ConnectorCard } from './ConnectorCard';
import { RegistrationPanel } from './RegistrationPanel';

const AddConnector = lazyWithPreload(() => import('./custom/AddConnector').then((module) => module.AddConnector));

export function ConnectorList() {
  const connectors = useConnectors();
  const [openId, setOpenId] = useState<string>();
  const [isAdding, setAdding] = useState(false);
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
      <Listing of="connectors" query={connectors} empty={<Text c="dimmed">This service has no connectors.</Text>}>
        {(items) => (
          <Stack>
            <Groups items={items} onOpen={setOpenId} />
            <RegistrationPanel connector={items.find(({ id }) => id === openId)} onClose={() => setOpenId(undefined)} />
          </Stack>
        )}
      </Listing>
      {isAdding && (
        <AddConnector
          onAdded={({ id }) => {
            setAdding(false);
            setOpenId(id);
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </Page>
  );
}

/** The connectors of the workspace first, if it has any. */
function Groups({ items, onOpen }: { items: Connector[]; onOpen(id: string): void }) {
  const own = items.filter(({ isCustom }) => isCustom);
  const others = items.filter(({ isCustom }) => !isCustom);
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
      <Title order={2} fz="md" mt="md">
        Included
      </Title>
      {cards(others)}
    </>
  );
}
