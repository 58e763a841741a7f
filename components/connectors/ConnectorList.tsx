'use client';

import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useConnectors } from '@/components/client/useConnectors';
import { Listing } from '@/components/ui/Listing';
import { Page } from '@/components/ui/Page';
import { PageHeader } from '@/components/ui/PageHeader';
import { ConnectorCard } from './ConnectorCard';
import { RegistrationPanel } from './RegistrationPanel';

export function ConnectorList() {
  const connectors = useConnectors();
  const [openId, setOpenId] = useState<string>();
  return (
    <Page>
      <PageHeader
        title="Connectors"
        summary="Services that workflows can call. An account is connected by a token, or by an app that is registered at the provider."
      />
      <Listing of="connectors" query={connectors} empty={<Text c="dimmed">This service has no connectors.</Text>}>
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
