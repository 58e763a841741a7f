import { List, Paper, Text } from '@mantine/core';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { TemplateTrigger } from '@/contract/workflows/template';
import { describeTrigger } from '@/components/templates/trigger-words';

interface Props {
  triggers: readonly TemplateTrigger[];
  /** The connectors, by which events of services are named. */
  connectors: readonly ConnectorResponse[];
  mayCreate(kind: TemplateTrigger['kind']): boolean;
}

/** Lists what a proposal starts by. The triggers are created when it is applied. */
export function ProposedTriggers({ triggers, connectors, mayCreate }: Props) {
  if (triggers.length === 0) return null;
  return (
    <Paper withBorder p="sm" component="section" aria-label="Triggers">
      <Text size="sm" fw={600} mb={6}>
        Triggers
      </Text>
      <List size="sm" spacing={4}>
        {triggers.map((trigger, index) => (
          <List.Item key={index}>
            Starts {describeProposedTrigger(trigger, connectors)}
            {!mayCreate(trigger.kind) && '. You are not allowed to create it: ask an admin of the workspace'}
          </List.Item>
        ))}
      </List>
    </Paper>
  );
}

/** How a trigger starts the workflow, with the settings that matter before it is created. */
function describeProposedTrigger(trigger: TemplateTrigger, connectors: readonly ConnectorResponse[]): string {
  if (trigger.kind !== 'webhook') return describeTrigger(trigger);
  const { subscription, verification } = trigger.settings;
  if (subscription) {
    const connector = connectors.find(({ id }) => id === subscription.connectorId);
    const event = connector?.events.find(({ id, mode }) => id === subscription.event && mode === 'subscription');
    return `by an event of ${connector?.name ?? 'a service'}: ${event?.title ?? 'Event'}`;
  }
  return verification?.kind === 'none'
    ? `${describeTrigger(trigger)}, without a signature: whoever knows the address can call it`
    : `${describeTrigger(trigger)}, signed with a secret that is shown once`;
}
