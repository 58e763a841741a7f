import { ActionIcon, Badge, Switch, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { AlertResponse } from '@/contract/alert';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { usePermissions } from '@/components/client/usePermissions';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import classes from '@/components/ui/lists/Table.module.css';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { ALERT_EVENT_LABELS, alertTargetText } from './words';

interface Props {
  alerts: AlertResponse[];
  onChange(alert: AlertResponse): void;
  onRemove(alert: AlertResponse): void;
}

export function AlertTable({ alerts, onChange, onRemove }: Props) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const can = usePermissions();
  const update = useMutation(
    trpc.alerts.update.mutationOptions({
      onSettled: refresh,
      onError: (error) =>
        notifications.show({ color: 'madder', title: 'The alert was not changed', message: apiErrorSentence(error) }),
    }),
  );
  return (
    <div className={classes.frame}>
      <Table className={classes.table} verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            <Table.Th visibleFrom="sm">Sent to</Table.Th>
            <Table.Th visibleFrom="sm">Last sent</Table.Th>
            <Table.Th w={70}>Enabled</Table.Th>
            <Table.Th w={90}>
              <span className={classes.hidden}>Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {alerts.map((alert) => {
            const { id, event, workflowId, tag, lastSentAt, lastError, enabled } = alert;
            return (
              <Table.Tr key={id} className={classes.row}>
                <Table.Td>
                  <Text size="sm" fw={570}>
                    {ALERT_EVENT_LABELS[event]}
                  </Text>
                  {workflowId !== null && <AlertWorkflowName id={workflowId} />}
                  {tag !== null && (
                    <Badge variant="default" size="sm" tt="none">
                      {tag}
                    </Badge>
                  )}
                  <Text size="xs" c="dimmed" hiddenFrom="sm" className={classes.written}>
                    {alertTargetText(alert)}
                  </Text>
                  {lastError && (
                    <Text size="xs" c="madder" hiddenFrom="sm" className={classes.written}>
                      {lastError}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td visibleFrom="sm" className={classes.written}>
                  {alertTargetText(alert)}
                </Table.Td>
                <Table.Td visibleFrom="sm">
                  {lastSentAt ? <TimeAgo at={lastSentAt} /> : 'Never'}
                  {lastError && (
                    <Text size="xs" c="madder" className={classes.written}>
                      {lastError}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <Switch
                    size="sm"
                    aria-label={`${ALERT_EVENT_LABELS[event]} is enabled`}
                    checked={enabled}
                    disabled={update.isPending || can('alert:update') === 'none'}
                    onChange={(change) =>
                      update.mutate({ params: { id }, body: { enabled: change.currentTarget.checked } })
                    }
                  />
                </Table.Td>
                <Table.Td>
                  <div className={classes.actions}>
                    {can('alert:update') !== 'none' && (
                      <ActionIcon aria-label={`Change ${ALERT_EVENT_LABELS[event]}`} onClick={() => onChange(alert)}>
                        <IconPencil size={16} aria-hidden />
                      </ActionIcon>
                    )}
                    {can('alert:delete') !== 'none' && (
                      <ActionIcon aria-label={`Delete ${ALERT_EVENT_LABELS[event]}`} onClick={() => onRemove(alert)}>
                        <IconTrash size={16} aria-hidden />
                      </ActionIcon>
                    )}
                  </div>
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function AlertWorkflowName({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.workflows.get.queryOptions({ params: { id } }, { retry: false }));
  return (
    <Text size="xs" c="dimmed" className={classes.written}>
      {data?.name ?? id}
    </Text>
  );
}
