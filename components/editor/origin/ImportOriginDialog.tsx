import { Accordion, Anchor, Code, Modal, ScrollArea, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readApiError } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { PanelSkeleton } from '@/components/ui/states/PanelSkeleton';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { ImportFindings } from '@/components/workflows/n8n/ImportFindings';
import type { WorkflowImportResponse } from '@/contract/workflows/n8n-import';
import { useDraft } from '../draft/draft';

interface Props {
  onShowNode(id: string): void;
  onClose(): void;
}

/** What an imported workflow was in n8n: what is to do, and the parameters that its nodes had. */
export function ImportOriginDialog({ onShowNode, onClose }: Props) {
  const trpc = useTRPC();
  const id = useDraft((draft) => draft.saved.id);
  const origin = useQuery(trpc.imports.get.queryOptions({ params: { id } }, { retry: false }));
  const isMissing = origin.error && readApiError(origin.error).code === 'NOT_FOUND';
  const show = (nodeId: string) => {
    onClose();
    onShowNode(nodeId);
  };
  return (
    <Modal opened onClose={onClose} title="What it was in n8n" size="xl">
      {origin.isPending && <PanelSkeleton />}
      {isMissing && <Text size="sm">This workflow was not imported.</Text>}
      {origin.error && !isMissing && (
        <RequestErrorAlert
          title="The import can’t be shown"
          error={origin.error}
          onRetry={() => void origin.refetch()}
        />
      )}
      {origin.data && <ImportOrigin origin={origin.data} onShowNode={show} />}
    </Modal>
  );
}

function ImportOrigin({
  origin: { url, wasActive, importedAt, report, nodes },
  onShowNode,
}: { origin: WorkflowImportResponse } & Pick<Props, 'onShowNode'>) {
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        Imported <TimeAgo at={importedAt} /> from {url ?? 'a file'}. It was {wasActive ? 'active' : 'not active'} there.
      </Text>
      <div>
        <ImportFindings findings={report} />
      </div>
      <Text fw={600} size="sm">
        Parameters of its nodes. What looks like a secret was masked and is not stored.
      </Text>
      <Accordion variant="contained" multiple>
        {nodes.map(({ name, type, version, nodeId, parameters }, index) => (
          <Accordion.Item key={index} value={String(index)}>
            <Accordion.Control>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {name}{' '}
                <Text span size="xs" c="dimmed">
                  {type.replace(/^.*\./, '')} {version}
                </Text>
              </Text>
            </Accordion.Control>
            <Accordion.Panel>
              {nodeId !== null && (
                <Anchor component="button" size="sm" mb="xs" onClick={() => onShowNode(nodeId)}>
                  Show the node
                </Anchor>
              )}
              <ScrollArea.Autosize
                mah={320}
                type="auto"
                viewportProps={{ tabIndex: 0, 'aria-label': `Parameters of ${name}`, role: 'region' }}
              >
                <Code block>{JSON.stringify(parameters, null, 2)}</Code>
              </ScrollArea.Autosize>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Stack>
  );
}
