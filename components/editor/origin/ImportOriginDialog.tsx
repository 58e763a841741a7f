import { Accordion, Anchor, Code, Modal, ScrollArea, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { readApiError } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { PanelSkeleton } from '@/components/ui/states/PanelSkeleton';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { ImportFindings } from '@/components/workflows/n8n/ImportFindings';
import type { ImportFinding, WorkflowImportResponse } from '@/contract/workflows/n8n-import';
import { useDraft } from '../draft/draft';
import type { CanvasViewControls } from '../useCanvasView';
import { indexNodePlaces, type NodePlace } from './index-node-places';

interface Props {
  onShow: CanvasViewControls['showIn'];
  onClose(): void;
}

/** What an imported workflow was in n8n: what is to do, and the parameters that its nodes had. */
export function ImportOriginDialog({ onShow, onClose }: Props) {
  const trpc = useTRPC();
  const id = useDraft((draft) => draft.saved.id);
  const origin = useQuery(trpc.imports.get.queryOptions({ params: { id } }, { retry: false }));
  const isMissing = origin.error && readApiError(origin.error).code === 'NOT_FOUND';
  const show: Props['onShow'] = (...place) => {
    onClose();
    onShow(...place);
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
      {origin.data && <ImportOrigin origin={origin.data} onShow={show} />}
    </Modal>
  );
}

function ImportOrigin({
  origin: { url, wasActive, importedAt, report, nodes },
  onShow,
}: { origin: WorkflowImportResponse } & Pick<Props, 'onShow'>) {
  const definition = useDraft((draft) => draft.definition);
  const places = useMemo(() => indexNodePlaces(definition), [definition]);
  const idsByName = useMemo(() => new Map(nodes.map(({ name, nodeId }) => [name, nodeId])), [nodes]);
  const linkTo = (place: NodePlace | undefined, field?: string) =>
    place && (() => onShow(place.path, place.nodeId, field));
  const findNode = ({ kind, node: name, field }: ImportFinding): NodePlace | undefined => {
    const { byId, byName, findMarked } = places;
    const call = field !== null || kind === 'account' ? byName.get(`${name}: call`) : undefined;
    // A node that is not called so any more was renamed, or became a part of another one.
    return findMarked(name, field ?? '') ?? call ?? byName.get(name) ?? byId.get(idsByName.get(name) ?? '');
  };
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        Imported <TimeAgo at={importedAt} /> from {url ?? 'a file'}. It was {wasActive ? 'active' : 'not active'} there.
      </Text>
      <div>
        <ImportFindings
          findings={report}
          linkTo={(finding) =>
            linkTo(findNode(finding), finding.field ?? (finding.kind === 'account' ? 'credentialId' : undefined))
          }
        />
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
              <ShowNodeButton onShow={linkTo(places.byId.get(nodeId ?? ''))} />
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

const ShowNodeButton = ({ onShow }: { onShow: (() => void) | undefined }) =>
  onShow && (
    <Anchor component="button" size="sm" mb="xs" onClick={onShow}>
      Show the node
    </Anchor>
  );
