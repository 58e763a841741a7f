import { Checkbox, Group, Table, Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import classes from '@/components/ui/lists/Table.module.css';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { useCurrentTime } from '@/components/ui/values/useCurrentTime';
import { describeRunGroup, newestGroupRun, runGroupTimes, type RunGroup } from './run-groups';
import groupClasses from './RunGroupRow.module.css';
import { TriggerLabel } from './TriggerLabel';

interface Props {
  group: RunGroup;
  isOpened: boolean;
  chosenCount: number;
  onToggle(): void;
  onChoose(isChosen: boolean): void;
}

const DONE_STYLE = RUN_STATUS_STYLE.completed;

/** Runs of one trigger that are all done, as one row that opens. */
export function RunGroupRow({ group, isOpened, chosenCount, onToggle, onChoose }: Props) {
  const now = useCurrentTime(60_000);
  const { runs } = group;
  const newest = newestGroupRun(group);
  if (!newest) return null;
  const name = describeRunGroup(group);
  return (
    <Table.Tr className={classes.row}>
      <Table.Td className={classes.above}>
        <Checkbox
          size="xs"
          aria-label={`Select ${name}`}
          checked={chosenCount === runs.length}
          indeterminate={chosenCount > 0 && chosenCount < runs.length}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <StatusBadge look={DONE_STYLE} />
      </Table.Td>
      <Table.Td>
        <button
          type="button"
          className={`${classes.link} ${groupClasses.open}`}
          aria-expanded={isOpened}
          onClick={onToggle}
        >
          <IconChevronRight size={15} aria-hidden className={groupClasses.chevron} /> {name}
        </button>
        <Text size="xs" c="dimmed">
          {newest.workflowName} · {runGroupTimes(group, now)} · all {DONE_STYLE.label.toLowerCase()}
        </Text>
        <Group hiddenFrom="sm" mt={4}>
          <StatusBadge look={DONE_STYLE} size="sm" />
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="lg" />
      <Table.Td visibleFrom="sm">
        <TriggerLabel run={newest} />
      </Table.Td>
      <Table.Td visibleFrom="md" />
      <Table.Td visibleFrom="sm">
        <TimeAgo at={newest.startedAt} />
      </Table.Td>
    </Table.Tr>
  );
}
