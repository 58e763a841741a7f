'use client';

import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useConnectors } from '../credentials/useConnectors';
import { Listing } from '../ui/Listing';
import { Page } from '../ui/Page';
import { PageHeader } from '../ui/PageHeader';
import { ConnectorCard } from './ConnectorCard';
import { RegistrationPanel } from './RegistrationPanel';

export function ConnectorList() {
  const connectors = useConnectors();
  const [openId, setOpenId] = useState<string>();
  return (
    <Page>
      <PageHeader
        title="Connectors"
        summary="Services whose accounts your workflows can use. Each needs an app registered there once."
      />
      <Listing of="connectors" query={connectors} empty={<Text c="dimmed">This installation has none.</Text>}>
        {(items) => (
          <Stack>
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
              {items.map((connector) => (
                <ConnectorCard key={connector.id} connector={connector} onOpen={() => setOpenId(connector.id)} />
              ))}
            </SimpleGrid>
            <RegistrationPanel connector={items.find(({ id }) => id === openId)} onClose={() => setOpenId(undefined)} />
          </Stack>
        )}
      </Listing>
    </Page>
  );
}
