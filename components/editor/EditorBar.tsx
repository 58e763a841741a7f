import { ActionIcon, Group, Menu, TextInput, Tooltip } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowLeft,
  IconBolt,
  IconDots,
  IconHistory,
  type Icon,
} from '@tabler/icons-react';
import Link from 'next/link';
import classes from '../ui/Workbench.module.css';
import { useDraft, useDraftStore } from './draft';
import type { Side } from './SideContent';
import { Keys } from './Keys';
import { RunButton } from './RunButton';
import { SaveState } from './SaveState';
import { StatusMenu } from './StatusMenu';
import type { Commands } from './useCommands';
import type { useSave } from './useSave';

interface Props {
  commands: Commands;
  saving: ReturnType<typeof useSave>;
  onSide(side: Side): void;
}

/** The workflow's name and state, and what can be done with it as a whole. */
export function EditorBar({ commands, saving, onSide }: Props) {
  const store = useDraftStore();
  const name = useDraft((draft) => draft.name);
  return (
    <header className={classes.bar}>
      <Tooltip label="All workflows">
        <ActionIcon component={Link} href="/workflows" size="lg" aria-label="All workflows">
          <IconArrowLeft size={19} aria-hidden />
        </ActionIcon>
      </Tooltip>
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
      <SaveState onSave={() => commands.do('save')} />
      <StatusMenu onPick={(status) => void saving.setStatus(status)} />
      <Group gap={2}>
        <Tool commands={commands} id="undo" label="Undo" icon={IconArrowBackUp} />
        <Tool commands={commands} id="redo" label="Redo" icon={IconArrowForwardUp} />
        <Tooltip label="Triggers: webhooks and schedules">
          <ActionIcon size="lg" aria-label="Triggers" onClick={() => openSide('triggers')}>
            <IconBolt size={19} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Versions">
          <ActionIcon size="lg" aria-label="Versions" onClick={() => openSide('versions')}>
            <IconHistory size={19} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Menu position="bottom-end" width={250}>
          <Menu.Target>
            <ActionIcon size="lg" aria-label="More">
              <IconDots size={19} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {commands.list
              .filter(({ id }) => ['bar', 'tidy', 'export', 'keys'].includes(id))
              .map(({ id, title, keys, run }) => (
                <Menu.Item key={id} rightSection={keys?.[0] && <Keys keys={keys[0]} />} onClick={run}>
                  {title}
                </Menu.Item>
              ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
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
  return (
    <Tooltip label={label}>
      <ActionIcon size="lg" aria-label={label} disabled={command?.isOff} onClick={command?.run}>
        <Icon size={19} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
