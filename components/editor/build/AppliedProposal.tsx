import { Button, CloseButton, Dialog, Group, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { keepBottomClear } from '@/components/canvas/fit-view';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { useTRPC } from '@/components/client/trpc';
import { usePermissions } from '@/components/client/usePermissions';
import { CopyableField } from '@/components/ui/values/CopyableField';
import { nodeTitle } from '@/components/graph/summary';
import { useDraft } from '../draft/draft';
import { useWorkflowChecks } from '../checks/useWorkflowChecks';
import type { AppliedProposalState } from './applied-proposal-state';
import { useExamplePreview, type ExamplePreview } from './useExamplePreview';

/** Whether the service has said what the version that was saved last lacks. */
function useSavedChecked(): boolean {
  const trpc = useTRPC();
  const { id, version } = useDraft((draft) => draft.saved);
  const { data } = useQuery(trpc.workflows.gaps.queryOptions({ params: { id } }));
  return data?.version === version;
}

/** How far the example data went. */
function ExamplePreviewText({ preview, catalogue }: { preview: ExamplePreview; catalogue: NodeTypesByName }) {
  const nodes = useDraft((draft) => draft.definition.nodes);
  const { computed, notRun, failed, examples } = preview;
  const listTitles = (ids: readonly string[]) =>
    nodes
      .filter(({ id }) => ids.includes(id))
      .map((node) => `“${nodeTitle(node, catalogue.get(node.type))}”`)
      .join(', ');
  return (
    <Text size="sm" c="dimmed" aria-live="polite">
      Preview with example data: it went through {computed.length} {computed.length === 1 ? 'step' : 'steps'}.
      {failed.length > 0 && ` ${listTitles(failed)} would fail with it.`}
      {examples.length > 0 && ` Documented examples stand for the answers of ${listTitles(examples)}.`}
      {notRun.length > 0 && ` Not run: ${listTitles(notRun)}.`}
      {notRun.length + examples.length > 0 && ' Nothing outside was called.'}
    </Text>
  );
}

interface Props {
  applied: AppliedProposalState;
  catalogue: NodeTypesByName;
  isStarting: boolean;
  onRun(input: Record<string, unknown>): void;
  /** Shows the whole workflow, once it is drawn. */
  onFit(): void;
  onGoLive(): void;
  onClose(): void;
}

/** Above the controls of the canvas. */
const PANEL_BOTTOM = 88;
/** The part of the canvas that a panel at its bottom may take from the workflow. */
const MAX_COVERED_SHARE = 0.6;
/** For how long the view follows the height of the panel, which grows with its texts. Later it is left as it is. */
const FITTING_MS = 4000;

/** Fits the workflow above a panel at the bottom of the canvas. Returns the ref of the panel. */
function useFitAbove(onFit: () => void): (panel: HTMLElement | null) => void {
  const [panel, setPanel] = useState<HTMLElement | null>(null);
  const fit = useEffectEvent((height: number) => {
    const canvas = document.querySelector('.react-flow')?.getBoundingClientRect();
    if (!canvas) return undefined;
    const covered = height + PANEL_BOTTOM - (innerHeight - canvas.bottom) + 16;
    const release = keepBottomClear(Math.min(covered, canvas.height * MAX_COVERED_SHARE));
    onFit();
    return release;
  });
  useEffect(() => {
    if (!panel) return undefined;
    let release: (() => void) | undefined;
    const until = performance.now() + FITTING_MS;
    const observer = new ResizeObserver(() => {
      if (performance.now() < until) release = fit(panel.offsetHeight);
    });
    observer.observe(panel);
    return () => {
      observer.disconnect();
      release?.();
    };
  }, [panel]);
  return setPanel;
}

/** What is left to do after a proposal was applied, beside the canvas that shows it. */
export function AppliedProposal({ applied, catalogue, isStarting, onRun, onFit, onGoLive, onClose }: Props) {
  const can = usePermissions();
  const isChecked = useSavedChecked();
  const missing = useWorkflowChecks(catalogue).filter(({ isHint }) => !isHint);
  const isReady = isChecked && missing.length === 0;
  const preview = useExamplePreview(applied, catalogue);
  const panelRef = useFitAbove(onFit);
  return (
    <Dialog
      ref={panelRef}
      opened
      onClose={onClose}
      // Right of the navigation.
      position={{ bottom: PANEL_BOTTOM, left: 'min(84px, 6vw)' }}
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
        {preview && <ExamplePreviewText preview={preview} catalogue={catalogue} />}
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
