'use client';

import { Button, Menu, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SsoProvider } from '@/contract/access/sso';
import { useTRPC } from '@/components/client/trpc';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { EmptyCredentialsArt } from '@/components/ui/art/EmptyCredentialsArt';
import { Listing } from '@/components/ui/lists/Listing';
import { Section } from '@/components/ui/page/Section';
import { SSO_KINDS, ssoKindOf, type SsoKind } from './sso-kinds';
import { SsoProviderEditor } from './SsoProviderEditor';
import { SsoProviderTable } from './SsoProviderTable';

interface Open {
  kind: SsoKind;
  /** Undefined: a new provider. */
  provider?: SsoProvider;
}

export function SsoProviderList() {
  const trpc = useTRPC();
  const [open, setOpen] = useState<Open>();
  const providers = useQuery(trpc.ssoProviders.list.queryOptions({ query: { limit: 100 } }));
  return (
    <Section
      title="Sign-in providers"
      summary="Single sign-on with company accounts."
      aside={
        <Menu position="bottom-end">
          <Menu.Target>
            <Button leftSection={<IconPlus size={17} aria-hidden />}>Add provider</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {SSO_KINDS.map((kind) => (
              <Menu.Item key={kind.id} onClick={() => setOpen({ kind })}>
                {kind.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      }
    >
      <Listing
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
              const kind = ssoKindOf(provider);
              if (kind) setOpen({ kind, provider });
            }}
          />
        )}
      </Listing>
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
    </Section>
  );
}
