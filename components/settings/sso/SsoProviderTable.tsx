import { Box, Button, Table, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCircleDashed, IconPlayerPause } from '@tabler/icons-react';
import type { SsoProviderResponse } from '@/contract/access/sso';
import type { StatusStyle } from '@/components/ui/states/status-style';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import classes from '@/components/ui/lists/Table.module.css';
import { findSsoOption } from './sso-kinds';

interface Props {
  providers: SsoProviderResponse[];
  onOpen(provider: SsoProviderResponse): void;
}

export function SsoProviderTable({ providers, onOpen }: Props) {
  return (
    <div className={classes.frame}>
      <Table className={classes.table} verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Provider</Table.Th>
            <Table.Th visibleFrom="sm">Domains</Table.Th>
            <Table.Th visibleFrom="sm" w={130}>
              Status
            </Table.Th>
            <Table.Th w={80}>
              <span className={classes.hidden}>Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {providers.map((provider) => (
            <Table.Tr key={provider.id} className={classes.row}>
              <Table.Td>
                <Text size="sm" fw={570} className={classes.written}>
                  {provider.name}
                </Text>
                <Text size="xs" c="dimmed">
                  {findSsoOption(provider)?.label}
                </Text>
                <Box hiddenFrom="sm" mt={4}>
                  <StatusBadge look={ssoProviderBadge(provider)} size="sm" />
                </Box>
              </Table.Td>
              <Table.Td visibleFrom="sm">
                {provider.domains.join(', ') || 'Any'}
                {provider.domainVerification.some(({ isVerified }) => !isVerified) && (
                  <Text size="xs" c="dimmed">
                    Not all verified
                  </Text>
                )}
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <StatusBadge look={ssoProviderBadge(provider)} />
              </Table.Td>
              <Table.Td>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Edit ${provider.name}`}
                  onClick={() => onOpen(provider)}
                >
                  Edit
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function ssoProviderBadge({ enabled, lastSignIn }: SsoProviderResponse): StatusStyle {
  if (!enabled) return { label: 'Off', icon: IconPlayerPause, tone: 'idle' };
  if (!lastSignIn) return { label: 'Not tested', icon: IconCircleDashed, tone: 'waiting' };
  return lastSignIn.isOk
    ? { label: 'Works', icon: IconCheck, tone: 'done' }
    : { label: 'Last failed', icon: IconAlertTriangle, tone: 'failed' };
}
