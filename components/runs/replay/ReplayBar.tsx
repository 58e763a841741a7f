import { ActionIcon, Button, Slider, Text } from '@mantine/core';
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { isFinalStatus } from '@/contract/states';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { formatDuration } from '@/components/ui/values/time-format';
import { LightTooltip } from '@/components/ui/LightTooltip';
import type { LiveRun } from '../live';
import { resultNodeTitle } from '../timeline/rounds';
import { findMomentEvents } from './moment-events';
import type { RunReplay } from './useRunReplay';
import classes from './ReplayBar.module.css';

/** A replay shows a moment for so long, and is over after so many of them: a long run leaves out some. */
const [MOMENT_MS, MAX_PLAYED_MOMENTS] = [500, 40];

interface Props {
  execution: LiveRun;
  definition: WorkflowDefinition;
  catalogue: NodeTypesByName;
  replay: RunReplay;
}

/** A slider over the time of a run: the canvas and the panels show the run as it was at that moment. */
export function ReplayBar({ execution, definition, catalogue, replay: { moments, at, show } }: Props) {
  const last = moments.length - 1;
  const found = at === undefined ? last : moments.findLastIndex((moment) => moment <= at);
  const index = Math.max(0, found);
  const isOver = isFinalStatus(execution.status);
  const showIndex = (next: number) => show(next >= last ? undefined : moments[next]);
  const { isPlaying, setPlaying } = usePlayedMoments(() => {
    const next = index + Math.max(1, Math.ceil(last / MAX_PLAYED_MOMENTS));
    showIndex(next);
    return next < last;
  });
  const words = describeRunMoment(execution, definition, catalogue, at);
  if (last < 1) return null;
  return (
    <div className={classes.bar} role="group" aria-label="Time of the run">
      <LightTooltip label={isPlaying ? 'Stop' : 'Show the run from its beginning'}>
        <ActionIcon
          aria-label={isPlaying ? 'Stop the replay' : 'Replay the run'}
          onClick={() => {
            if (!isPlaying && at === undefined) showIndex(0);
            setPlaying(!isPlaying);
          }}
        >
          {isPlaying ? <IconPlayerPauseFilled size={15} aria-hidden /> : <IconPlayerPlayFilled size={15} aria-hidden />}
        </ActionIcon>
      </LightTooltip>
      <Slider
        className={`nodrag nopan ${classes.slider}`}
        size="sm"
        thumbLabel="Moment of the run"
        thumbValueText={words}
        min={0}
        max={last}
        label={null}
        value={at === undefined ? last : index}
        onChange={(next) => {
          setPlaying(false);
          showIndex(next);
        }}
      />
      <Text className={classes.words} title={words}>
        {words}
      </Text>
      {at !== undefined && (
        <Button
          className={classes.now}
          variant="subtle"
          size="compact-xs"
          onClick={() => {
            setPlaying(false);
            show(undefined);
          }}
        >
          {isOver ? 'To the end' : 'To now'}
        </Button>
      )}
    </div>
  );
}

/** Shows one moment after the other while it plays. `showNext` returns false at the last one. */
function usePlayedMoments(showNext: () => boolean) {
  const [isPlaying, setPlaying] = useState(false);
  const step = useEffectEvent(() => {
    if (!showNext()) setPlaying(false);
  });
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(step, MOMENT_MS);
    return () => clearInterval(timer);
  }, [isPlaying]);
  return { isPlaying, setPlaying };
}

/** `After 1.2 s: “Fetch” ended`, with the number of other nodes of the same moment. */
function describeRunMoment(
  execution: LiveRun,
  definition: WorkflowDefinition,
  catalogue: NodeTypesByName,
  at: number | undefined,
): string {
  const begin = Date.parse(execution.startedAt);
  if (at === undefined) {
    if (!isFinalStatus(execution.status)) return 'Now';
    const end = execution.completedAt === undefined ? begin : Date.parse(execution.completedAt);
    return `The end, after ${formatDuration(end - begin)}`;
  }
  if (at < begin) return 'Before the start';
  const time = `After ${formatDuration(at - begin)}`;
  const events = findMomentEvents(execution, at);
  const [first] = events?.nodeIds ?? [];
  if (!events || first === undefined) return time;
  const others = events.nodeIds.length - 1;
  const more = others > 0 ? ` and ${others} ${others === 1 ? 'other' : 'others'}` : '';
  return `${time}: “${resultNodeTitle(definition, catalogue, first)}”${more} ${events.verb}`;
}
