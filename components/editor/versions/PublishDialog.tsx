import { Button, Group, Modal, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMemo, useState, type ReactNode, type SubmitEvent } from 'react';
import { compareDefinitions } from '@/components/graph/compare';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { TriggerSummary } from '@/components/triggers/TriggerSummary';
import { useEditorActions } from '../commands/editor-actions';
import { DefinitionChanges } from './DefinitionChanges';
import { ChecksPanel } from '../checks/ChecksPanel';
import { ComparedCanvas } from './ComparedCanvas';
import { useDraft } from '../draft/draft';
import { usePublishedBaseline } from '../draft/usePublishedBaseline';
import { useWorkflowChecks } from '../checks/useWorkflowChecks';
import { useDiscardDraft } from '../draft/useDiscardDraft';
import type { useDraftSave } from '../draft/useDraftSave';
import type { CanvasViewControls } from '../useCanvasView';

interface Props {
  catalogue: NodeTypesByName;
  saving: ReturnType<typeof useDraftSave>;
  onShow: CanvasViewControls['showIn'];
  onClose(): void;
}

/** Review before publishing: checks, triggers, and changes since the live version. */
export function PublishDialog({ catalogue, saving, onShow, onClose }: Props) {
  const saved = useDraft((draft) => draft.saved);
  const isBusy = useDraft((draft) => draft.saving === 'saving');
  const { showTriggers } = useEditorActions();
  const gaps = useWorkflowChecks(catalogue).filter(({ isHint }) => !isHint).length;
  const base = usePublishedBaseline();
  const comparison = useMemo(
    () => base && compareDefinitions(base.definition, saved.definition),
    [base, saved.definition],
  );
  const discard = useDiscardDraft(onClose);
  const [message, setMessage] = useState('');
  const { id, version, status, draftVersion, liveVersion } = saved;
  const isWaiting = draftVersion !== null;
  const isActive = status === 'active';
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!(await saving.publish(message.trim()))) return;
    onClose();
    notifications.show({ color: 'verdigris', message: `Live. Triggers now run version ${version}.` });
  };
  const title = isActive ? `Publish version ${version}` : `Go live with version ${version}`;
  return (
    <Modal opened onClose={onClose} title={title} size="min(900px, 94vw)">
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <Text size="sm">{publishingEffectText(isActive, isWaiting, liveVersion)}</Text>
          {comparison && <ComparedCanvas definition={saved.definition} comparison={comparison} catalogue={catalogue} />}
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
            <Stack gap="lg">
              <PublishDialogSection title="Checks">
                <ChecksPanel
                  catalogue={catalogue}
                  onShow={(...place) => {
                    onClose();
                    onShow(...place);
                  }}
                />
              </PublishDialogSection>
              <PublishDialogSection title="Triggers">
                <TriggerSummary workflowId={id} onOpen={showTriggers} />
              </PublishDialogSection>
            </Stack>
            <div>
              {base && comparison && (
                <DefinitionChanges
                  title={`Changes since version ${base.version}`}
                  rename={base.name === saved.name ? undefined : saved.name}
                  comparison={comparison}
                  catalogue={catalogue}
                />
              )}
              {base === null && (
                <Text size="sm" c="dimmed">
                  This workflow was not published before.
                </Text>
              )}
            </div>
          </SimpleGrid>
          {isWaiting && (
            <TextInput
              label="Version message"
              placeholder="What changed in this version (optional)"
              maxLength={500}
              value={message}
              onChange={(event) => setMessage(event.currentTarget.value)}
            />
          )}
          <Group justify="space-between" gap="xs">
            <div>
              {isWaiting && (
                <Button variant="subtle" color="madder" loading={discard.isPending} onClick={discard.discard}>
                  Discard draft, keep version {liveVersion}
                </Button>
              )}
            </div>
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              {(isWaiting || !isActive) && (
                <Button
                  type="submit"
                  loading={isBusy}
                  disabled={gaps > 0}
                  data-autofocus={isWaiting ? undefined : true}
                >
                  {isActive ? 'Publish' : isWaiting ? 'Publish and go live' : 'Go live'}
                </Button>
              )}
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function publishingEffectText(isActive: boolean, isWaiting: boolean, liveVersion: number): string {
  if (!isActive)
    return 'Webhooks, forms, chats, schedules and polls will run this workflow. Later changes take effect when you publish them.';
  if (isWaiting) return `Triggers run version ${liveVersion} until you publish this draft.`;
  return `Triggers run version ${liveVersion}, which is the version on the canvas. There are no changes to publish.`;
}

function PublishDialogSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={3} fz="sm" mb={8}>
        {title}
      </Title>
      {children}
    </section>
  );
}
