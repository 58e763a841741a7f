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
import { AppLink } from '@/components/ui/AppLink';
import type { WorkflowHint } from '@/contract/channel';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { CancelButton } from '@/components/runs/CancelButton';
import classes from '@/components/ui/states/Workbench.module.css';
import { ChecksButton } from './checks/ChecksButton';
import { useDraft, useDraftStore } from './draft/draft';
import type { SidePanelView } from './SidePanelContent';
import { LazyMoreMenu } from './lazy-components';
import { PresenceAvatars } from './presence/PresenceAvatars';
import { PublishButton } from './versions/PublishButton';
import { RunButton } from './run/RunButton';
import { SaveIndicator } from './draft/SaveIndicator';
import { StatusMenuButton } from './versions/StatusMenuButton';
import type { CommandControls } from './commands/useEditorCommands';
import { LightTooltip } from '@/components/ui/LightTooltip';
import { MenuButton } from '@/components/ui/MenuButton';

interface Props {
  commands: CommandControls;
  catalogue: NodeTypesByName;
  /** A run in progress whose panel is not visible. */
  hiddenRunId: string | undefined;
  onStatus(status: WorkflowStatus): void;
  onSide(side: SidePanelView): void;
  onHint(hint: WorkflowHint['type']): void;
}

/** Toolbar of the editor: name, status and actions of the workflow. */
export function EditorBar({ commands, catalogue, hiddenRunId, onStatus, onSide, onHint }: Props) {
  const store = useDraftStore();
  const name = useDraft((draft) => draft.name);
  const workflowId = useDraft((draft) => draft.saved.id);
  return (
    <header className={classes.bar}>
      <VisuallyHidden component="h1">Workflow editor</VisuallyHidden>
      <LightTooltip label="All workflows">
        <ActionIcon component={AppLink} href="/workflows" size="lg" aria-label="All workflows">
          <IconArrowLeft size={19} aria-hidden />
        </ActionIcon>
      </LightTooltip>
      <div className={classes.title}>
        <TextInput
          variant="unstyled"
          aria-label="Name of the workflow"
          value={name}
          maxLength={200}
          maw={420}
          styles={{ input: { fontSize: 16, fontWeight: 620, letterSpacing: '-0.01em', textOverflow: 'ellipsis' } }}
          onChange={(event) => store.set({ name: event.currentTarget.value })}
        />
      </div>
      <PresenceAvatars workflowId={workflowId} onHint={onHint} />
      <SaveIndicator onSave={() => commands.do('save')} />
      <StatusMenuButton onPick={onStatus} />
      <PublishButton onPublish={() => commands.do('publish')} />
      <Group gap={2} wrap="nowrap">
        <CommandIconButton commands={commands} id="undo" label="Undo" icon={IconArrowBackUp} />
        <CommandIconButton commands={commands} id="redo" label="Redo" icon={IconArrowForwardUp} />
        <ChecksButton catalogue={catalogue} onOpen={() => onSide('checks')} />
        <LightTooltip label="Triggers: webhooks, forms, chats and schedules">
          <ActionIcon size="lg" aria-label="Triggers" onClick={() => onSide('triggers')}>
            <IconBolt size={19} aria-hidden />
          </ActionIcon>
        </LightTooltip>
        <LightTooltip label="Runs">
          <ActionIcon size="lg" aria-label="Runs" visibleFrom="sm" onClick={() => onSide('runs')}>
            <IconListCheck size={19} aria-hidden />
          </ActionIcon>
        </LightTooltip>
        <LightTooltip label="Versions">
          <ActionIcon size="lg" aria-label="Versions" visibleFrom="md" onClick={() => onSide('versions')}>
            <IconHistory size={19} aria-hidden />
          </ActionIcon>
        </LightTooltip>
        <MenuButton menu={LazyMoreMenu} menuProps={{ commands: commands.list }}>
          <ActionIcon size="lg" aria-label="More">
            <IconDots size={19} aria-hidden />
          </ActionIcon>
        </MenuButton>
      </Group>
      {hiddenRunId !== undefined && <CancelButton executionId={hiddenRunId} isInBar />}
      <RunButton commands={commands} />
    </header>
  );
}

function CommandIconButton({
  commands,
  id,
  label,
  icon: Icon,
}: {
  commands: CommandControls;
  id: string;
  label: string;
  icon: Icon;
}) {
  const command = commands.list.find((candidate) => candidate.id === id);
  const isOff = useDraft(() => command?.applies?.() === false);
  return (
    <LightTooltip label={label}>
      <ActionIcon size="lg" aria-label={label} visibleFrom="md" disabled={isOff} onClick={command?.run}>
        <Icon size={19} aria-hidden />
      </ActionIcon>
    </LightTooltip>
  );
}
