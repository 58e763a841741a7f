import { Button, Card, Group, Text, Title } from '@mantine/core';
import { IconCircleDashed, IconPlugConnected } from '@tabler/icons-react';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import { ConnectorIcon } from '@/components/credentials/ConnectorIcon';
import type { StatusStyle } from '@/components/ui/states/status-style';
import { StatusBadge } from '@/components/ui/states/StatusBadge';

export function ConnectorCard({ connector, onOpen }: { connector: ConnectorResponse; onOpen(): void }) {
  const { name, description, icon, operations, isCustom } = connector;
  const count = operations.length - (isCustom ? 1 : 0);
  return (
    <Card withBorder padding="md" component="article">
      <Group gap="sm" wrap="nowrap" mb="xs">
        <ConnectorIcon src={icon} />
        <Title order={2} fz="md" flex={1}>
          {name}
        </Title>
        <StatusBadge look={connectorBadge(connector)} size="sm" />
      </Group>
      <Text size="sm" c="dimmed" flex={1} mb="md" lineClamp={isCustom ? 3 : undefined}>
        {description || connector.source?.server}
      </Text>
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {count} {count === 1 ? 'operation' : 'operations'}
        </Text>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={isCustom ? `Open ${name}` : `Set up ${name}`}
          onClick={onOpen}
        >
          {isCustom ? 'Open' : 'Set up'}
        </Button>
      </Group>
    </Card>
  );
}

function connectorBadge({ registration, flow, token }: ConnectorResponse): StatusStyle {
  const ready = (label: string): StatusStyle => ({ label, icon: IconPlugConnected, tone: 'done' });
  if (flow === 'token' || registration === 'workspace') return ready('Ready');
  if (registration === 'service') return ready('Ready (service-wide)');
  return token ? ready('Ready (by token)') : { label: 'Not set up', icon: IconCircleDashed, tone: 'idle' };
}
