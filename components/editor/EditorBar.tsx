import { ActionIcon, Group, TextInput, VisuallyHidden } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowLeft,
  IconBolt,
  IconDots,
  IconHistory,
  IconListCheck,
  type Icon,
} from '@tabler/icons-react';
import { Link } from '@/components/ui/Link';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import type { Catalogue } from '@/components/graph/flow';
import { CancelButton } from '@/components/executions/CancelButton';
import classes from '@/components/ui/states/Workbench.module.css';
import { ChecksButton } from './checks/ChecksButton';
import { useDraft, useDraftStore } from './draft/draft';
import type { Side } from './SideContent';
import { MoreMenu } from './lazy';
import { Presence } from './Presence';
import { PublishButton } from './versions/PublishButton';
import { RunButton } from './run/RunButton';
import { SaveState } from './draft/SaveState';
import { StatusMenu } from './versions/StatusMenu';
import type { Commands } from './commands/useCommands';
import { Hint } from '@/components/ui/Hint';
import { MenuButton } from '@/components/ui/MenuButton';

interface Props {
  commands: Commands;
  catalogue: Catalogue;
  /** A run in progress whose panel is not visible. */
  hiddenRunId: string | undefined;
  onStatus(status: WorkflowStatus): void;
  onSide(side: Side): void;
  /** A webhook of the workflow was called while a user listened for a test call. */
  onWebhookCalled(): void;
}

/** Toolbar of the editor: name, status and actions of the workflow. */
export function EditorBar({ commands, catalogue, hiddenRunId, onStatus, onSide, onWebhookCalled }: Props) {
  const store = useDraftStore();
  const name = useDraft((draft) => draft.name);
  const workflowId = useDraft((draft) => draft.saved.id);
  return (
    <header className={classes.bar}>
      <VisuallyHidden component="h1">Workflow editor</VisuallyHidden>
      <Hint label="All workflows">
        <ActionIcon component={Link} href="/workflows" size="lg" aria-label="All workflows">
          <IconArrowLeft size={19} aria-hidden />
        </ActionIcon>
      </Hint>
      <div className={classes.title}>
        <TextInput
          variant="unstyled"
          aria-label="Name of the workflow"
          value={name}
          maxLength={200}
          maw={420}
          styles={{ input: { fontSize: 16, fontWeight: 620, letterSpacing: '-0.01em' } }}
          onChange={(event) => store.set({ name: event.currentTarget.value })}
        />
      </div>
      <Presence workflowId={workflowId} onWebhookCalled={onWebhookCalled} />
      <SaveState onSave={() => commands.do('save')} />
      <StatusMenu onPick={onStatus} />
      <PublishButton onPublish={() => commands.do('publish')} />
      <Group gap={2} wrap="nowrap">
        <Tool commands={commands} id="undo" label="Undo" icon={IconArrowBackUp} />
        <Tool commands={commands} id="redo" label="Redo" icon={IconArrowForwardUp} />
        <ChecksButton catalogue={catalogue} onOpen={() => openSide('checks')} />
        <Hint label="Triggers: webhooks, forms, chats and schedules">
          <ActionIcon size="lg" aria-label="Triggers" onClick={() => openSide('triggers')}>
            <IconBolt size={19} aria-hidden />
          </ActionIcon>
        </Hint>
        <Hint label="Runs">
          <ActionIcon size="lg" aria-label="Runs" visibleFrom="sm" onClick={() => openSide('runs')}>
            <IconListCheck size={19} aria-hidden />
          </ActionIcon>
        </Hint>
        <Hint label="Versions">
          <ActionIcon size="lg" aria-label="Versions" onClick={() => openSide('versions')}>
            <IconHistory size={19} aria-hidden />
          </ActionIcon>
        </Hint>
        <MenuButton menu={MoreMenu} menuProps={{ commands: commands.list }}>
          <ActionIcon size="lg" aria-label="More">
            <IconDots size={19} aria-hidden />
          </ActionIcon>
        </MenuButton>
      </Group>
      {hiddenRunId !== undefined && <CancelButton executionId={hiddenRunId} isInBar />}
      <RunButton commands={commands} />
    </header>
  );

  function openSide(side: Side) {
    store.set({ selectedIds: [] });
    onSide(side);
  }
}

function Tool({ commands, id, label, icon: Icon }: { commands: Commands; id: string; label: string; icon: Icon }) {
  const command = commands.list.find((candidate) => candidate.id === id);
  const isOff = useDraft(() => command?.applies?.() === false);
  return (
    <Hint label={label}>
      <ActionIcon size="lg" aria-label={label} disabled={isOff} onClick={command?.run}>
        <Icon size={19} aria-hidden />
      </ActionIcon>
    </Hint>
  );
}
