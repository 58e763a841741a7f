import { Badge, Checkbox, Group, Table, Text } from '@mantine/core';
import { IconFolder } from '@tabler/icons-react';
import type { DragEvent } from 'react';
import type { NamedListSort } from '@/contract/list-sort';
import type { FolderResponse } from '@/contract/workflows/folder';
import { AppLink } from '@/components/ui/AppLink';
import { SortableHeader } from '@/components/ui/lists/SortableHeader';
import type { WorkflowListItem } from '@/contract/workflows/workflow';
import { WORKFLOW_STATUS_STYLE } from '@/components/ui/states/status-style';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import classes from '@/components/ui/lists/Table.module.css';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { folderTrail } from './folders/folder-paths';
import { dragWorkflows } from './folders/workflow-drag';
import { TriggerIcons } from './list/TriggerIcons';
import { FavoriteStar } from './FavoriteStar';
import { LastRun } from './LastRun';
import { RunWorkflowButton } from './RunWorkflowButton';
import { StatusSwitch } from './StatusSwitch';
import { WorkflowMenu } from './WorkflowMenu';

interface Props {
  workflows: WorkflowListItem[];
  /** The folders whose names are shown; empty: all workflows are in the open one. */
  folders: FolderResponse[];
  sort: NamedListSort;
  chosenIds: ReadonlySet<string>;
  /** Rows can be dragged to folders. */
  isMovable: boolean;
  onSort(sort: NamedListSort): void;
  onChoose(ids: ReadonlySet<string>): void;
  onTag(tag: string): void;
}

export function WorkflowTable({ workflows, folders, sort, chosenIds, isMovable, onSort, onChoose, onTag }: Props) {
  const chosen = workflows.filter(({ id }) => chosenIds.has(id)).length;
  const toggle = (id: string) => {
    const next = new Set(chosenIds);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  };
  return (
    <div className={classes.frame}>
      <Table className={classes.table} layout="fixed" verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={{ base: 36, sm: 48 }}>
              <Checkbox
                size="xs"
                aria-label="Select all workflows of this page"
                checked={chosen === workflows.length}
                indeterminate={chosen > 0 && chosen < workflows.length}
                onChange={() => onChoose(new Set(chosen === workflows.length ? [] : workflows.map(({ id }) => id)))}
              />
            </Table.Th>
            <SortableHeader label="Name" first="name" sort={sort} onSort={onSort} />
            <Table.Th w={142} visibleFrom="lg">
              Started by
            </Table.Th>
            <Table.Th w={150} visibleFrom="sm">
              Status
            </Table.Th>
            <Table.Th w={196} visibleFrom="sm">
              Last run
            </Table.Th>
            <Table.Th w={100} visibleFrom="xl">
              Owner
            </Table.Th>
            <SortableHeader w={136} visibleFrom="lg" label="Updated" first="-updatedAt" sort={sort} onSort={onSort} />
            <Table.Th w={{ base: 104, sm: 130 }}>
              <span className={classes.hidden}>Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {workflows.map((workflow) => (
            <WorkflowRow
              key={workflow.id}
              workflow={workflow}
              isChosen={chosenIds.has(workflow.id)}
              onToggle={() => toggle(workflow.id)}
              place={folderTrail(folders, workflow.folderId)
                .map(({ name }) => name)
                .join(' / ')}
              onDrag={
                isMovable
                  ? (event) => dragWorkflows(event, chosenIds.has(workflow.id) ? [...chosenIds] : [workflow.id])
                  : undefined
              }
              onTag={onTag}
            />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

interface WorkflowRowProps {
  workflow: WorkflowListItem;
  isChosen: boolean;
  /** The path of its folder; empty: it is not shown. */
  place: string;
  onToggle(): void;
  onDrag?(event: DragEvent): void;
  onTag(tag: string): void;
}

function WorkflowRow({ workflow, isChosen, place, onToggle, onDrag, onTag }: WorkflowRowProps) {
  const { id, name, description, status, updatedAt, tags, owner, triggers } = workflow;
  return (
    <Table.Tr className={classes.row} draggable={onDrag !== undefined} onDragStart={onDrag}>
      <Table.Td>
        <Checkbox
          size="xs"
          className={classes.above}
          aria-label={`Select ${name}`}
          checked={isChosen}
          onChange={onToggle}
        />
      </Table.Td>
      <Table.Td>
        <AppLink href={`/workflows/${id}`} className={classes.link}>
          {name}
        </AppLink>
        {place !== '' && (
          <Text size="xs" c="dimmed" truncate>
            <IconFolder size={12} aria-hidden style={{ verticalAlign: -2 }} /> {place}
          </Text>
        )}
        {description && (
          <Text size="xs" c="dimmed" lineClamp={1}>
            {description}
          </Text>
        )}
        <Group hiddenFrom="sm" gap={8} mt={4}>
          <StatusBadge look={WORKFLOW_STATUS_STYLE[status]} size="sm" />
          <DraftStateNotes workflow={workflow} />
        </Group>
        {triggers.length > 0 && (
          <Group hiddenFrom="lg" mt={4}>
            <TriggerIcons triggers={triggers} />
          </Group>
        )}
        {tags.length > 0 && (
          <Group gap={4} mt={4}>
            {tags.map((tag) => (
              <Badge
                key={tag}
                component="button"
                variant="default"
                size="sm"
                tt="none"
                fw={500}
                style={{ cursor: 'pointer' }}
                aria-label={`Show workflows with the tag ${tag}`}
                onClick={() => onTag(tag)}
              >
                {tag}
              </Badge>
            ))}
          </Group>
        )}
      </Table.Td>
      <Table.Td visibleFrom="lg">
        <TriggerIcons triggers={triggers} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Group gap={8} wrap="nowrap">
          <StatusSwitch workflow={workflow} />
          <StatusBadge look={WORKFLOW_STATUS_STYLE[status]} />
        </Group>
        <DraftStateNotes workflow={workflow} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <LastRun run={workflow.lastExecution} />
      </Table.Td>
      <Table.Td visibleFrom="xl">
        <Text size="sm" truncate>
          {owner ?? '–'}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="lg">
        <TimeAgo at={updatedAt} />
      </Table.Td>
      <Table.Td>
        <div className={classes.actions}>
          <span className={classes.wide}>
            <FavoriteStar workflow={workflow} />
          </span>
          <RunWorkflowButton id={id} name={name} />
          <WorkflowMenu workflow={workflow} />
        </div>
      </Table.Td>
    </Table.Tr>
  );
}

/** Tells that the draft has unpublished changes, or errors. */
function DraftStateNotes({ workflow: { draftVersion, hasInvalidDraft } }: { workflow: WorkflowListItem }) {
  const marks = [
    { isShown: draftVersion !== null, color: 'var(--weft-waiting)', text: 'Changes not published' },
    { isShown: hasInvalidDraft, color: 'var(--weft-failed)', text: 'Draft with errors' },
  ];
  return marks.map(
    ({ isShown, color, text }) =>
      isShown && (
        <Text key={text} size="xs" c={color} mt={{ base: 0, sm: 4 }} style={{ whiteSpace: 'nowrap' }}>
          {text}
        </Text>
      ),
  );
}
