import { Button, CloseButton, Dialog, Group, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { useTRPC } from '@/components/client/trpc';
import { usePermissions } from '@/components/client/usePermissions';
import { CopyableField } from '@/components/ui/values/CopyableField';
import { useDraft } from '../draft/draft';
import { useWorkflowChecks } from '../checks/useWorkflowChecks';
import type { AppliedProposalState } from './applied-proposal-state';

/** Whether the service has said what the version that was saved last lacks. */
function useSavedChecked(): boolean {
  const trpc = useTRPC();
  const { id, version } = useDraft((draft) => draft.saved);
  const { data } = useQuery(trpc.workflows.gaps.queryOptions({ params: { id } }));
  return data?.version === version;
}

interface Props {
  applied: AppliedProposalState;
  catalogue: NodeTypesByName;
  isStarting: boolean;
  onRun(input: Record<string, unknown>): void;
  onGoLive(): void;
  onClose(): void;
}

/** What is left to do after a proposal was applied, beside the canvas that shows it. */
export function AppliedProposal({ applied, catalogue, isStarting, onRun, onGoLive, onClose }: Props) {
  const can = usePermissions();
  const isChecked = useSavedChecked();
  const missing = useWorkflowChecks(catalogue).filter(({ isHint }) => !isHint);
  const isReady = isChecked && missing.length === 0;
  return (
    <Dialog
      opened
      onClose={onClose}
      // Right of the navigation, and above the controls of the canvas.
      position={{ bottom: 88, left: 'min(84px, 6vw)' }}
      size="min(380px, calc(100vw - 48px))"
      withBorder
      role="region"
      aria-label="Next steps"
    >
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Text fw={600}>
            {missing.length > 0 ? 'Left to do' : isChecked ? 'It is on the canvas' : 'It is checked'}
          </Text>
          <CloseButton aria-label="Close" onClick={onClose} />
        </Group>
        {applied.secrets.map(({ url, secret }) => (
          <Stack key={url} gap={4}>
            <CopyableField label="Address of the webhook" value={url} />
            <CopyableField label="Secret, shown only once" value={secret} />
          </Stack>
        ))}
        {missing.length > 0 && (
          <List size="sm" spacing={4} mah={180} style={{ overflowY: 'auto' }}>
            {missing.map(({ path, nodeId, title, message, field }) => (
              <List.Item key={JSON.stringify([path, nodeId, field, message])}>
                {title}: {message}
              </List.Item>
            ))}
          </List>
        )}
        {isReady && (
          <Text size="sm" c="dimmed">
            A run with example data does what its nodes say: mails are sent, rows are written.
          </Text>
        )}
        <Group gap="xs" justify="flex-end">
          {isReady && can('workflow:execute') !== 'none' && (
            <Button variant="default" loading={isStarting} onClick={() => onRun(applied.exampleInput)}>
              Run with example data
            </Button>
          )}
          <Button variant={isReady ? 'filled' : 'default'} onClick={onGoLive}>
            Go live
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
