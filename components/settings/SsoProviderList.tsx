'use client';

import { Button, Menu, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SsoProvider } from '@/contract/sso';
import { useTRPC } from '../client/trpc';
import { EmptyState } from '../ui/EmptyState';
import { KeyArt } from '../ui/KeyArt';
import { Listing } from '../ui/Listing';
import { Section } from '../ui/Section';
import { SSO_KINDS, ssoKindOf, type SsoKind } from './sso-kinds';
import { SsoProviderEditor } from './SsoProviderEditor';
import { SsoProviderTable } from './SsoProviderTable';

interface Open {
  kind: SsoKind;
  /** Undefined: a new one. */
  provider?: SsoProvider;
}

export function SsoProviderList() {
  const trpc = useTRPC();
  const [open, setOpen] = useState<Open>();
  const providers = useQuery(trpc.ssoProviders.list.queryOptions({ query: { limit: 100 } }));
  return (
    <Section
      title="Sign-in providers"
      summary="Let people sign in with their company accounts."
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
          <EmptyState art={<KeyArt />} title="Passwords only, so far">
            Add a provider, and people come in with the account that their company gave them.
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
        Once a provider works, single sign-on can be required under Security policies.
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
