'use client';

import { Button, Menu, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SsoProviderResponse } from '@/contract/access/sso';
import { useTRPC } from '@/components/client/trpc';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { EmptyCredentialsArt } from '@/components/ui/art/EmptyCredentialsArt';
import { QueryList } from '@/components/ui/lists/QueryList';
import { PageSection } from '@/components/ui/page/PageSection';
import { SSO_PROVIDER_OPTIONS, findSsoOption, type SsoProviderOption } from './sso-kinds';
import { SsoProviderEditor } from './SsoProviderEditor';
import { SsoProviderTable } from './SsoProviderTable';

interface OpenProvider {
  kind: SsoProviderOption;
  /** Undefined: a new provider. */
  provider?: SsoProviderResponse;
}

export function SsoProviderList() {
  const trpc = useTRPC();
  const [open, setOpen] = useState<OpenProvider>();
  const providers = useQuery(trpc.ssoProviders.list.queryOptions({ query: { limit: 100 } }));
  return (
    <PageSection
      title="Sign-in providers"
      summary="Single sign-on with company accounts."
      aside={
        <Menu position="bottom-end">
          <Menu.Target>
            <Button leftSection={<IconPlus size={17} aria-hidden />}>Add provider</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {SSO_PROVIDER_OPTIONS.map((kind) => (
              <Menu.Item key={kind.id} onClick={() => setOpen({ kind })}>
                {kind.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      }
    >
      <QueryList
        of="providers"
        query={providers}
        empty={
          <EmptyState art={<EmptyCredentialsArt />} title="No sign-in providers">
            Add a provider so that users can sign in with their company account.
          </EmptyState>
        }
      >
        {(items) => (
          <SsoProviderTable
            providers={items}
            onOpen={(provider) => {
              const kind = findSsoOption(provider);
              if (kind) setOpen({ kind, provider });
            }}
          />
        )}
      </QueryList>
      <Text size="xs" c="dimmed" mt="md">
        When a provider works, you can require single sign-on in Security policies.
      </Text>
      {open && (
        <SsoProviderEditor
          key={open.provider?.id ?? open.kind.id}
          kind={open.kind}
          provider={open.provider}
          onCreated={(provider) => setOpen({ kind: open.kind, provider })}
          onClose={() => setOpen(undefined)}
        />
      )}
    </PageSection>
  );
}
