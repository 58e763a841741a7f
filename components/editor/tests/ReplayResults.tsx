import { Anchor, Stack, Text } from '@mantine/core';
import { AppLink } from '@/components/ui/AppLink';
import type { ReplayNodeDifference, ExecutionReplay } from '@/contract/workflows/workflow-test';
import classes from './Tests.module.css';

const DIFFERENCE_TEXTS: Record<ReplayNodeDifference['change'], string> = {
  output: 'has another output',
  status: 'ends in another way',
  no_longer_run: 'does not run any more',
  newly_run: 'runs now',
};

interface Props {
  replays: ExecutionReplay[];
  /** The title of the node of a result on the canvas. */
  nameOf(id: string): string;
  onShowNode(id: string): void;
}

/** The replays of recent runs on the last saved version, with the nodes that differ. */
export function ReplayResults({ replays, nameOf, onShowNode }: Props) {
  const different = replays.filter(({ status }) => status === 'different');
  const running = replays.filter(({ status }) => status === 'running').length;
  const same = replays.length - different.length - running;
  return (
    <section aria-label="Replays">
      <Stack gap={6}>
        <Text size="sm" fw={600}>
          {replays.length === 0
            ? 'There are no finished runs to replay.'
            : `${same} of ${replays.length} recent runs give the same on the last saved version.${running > 0 ? ` ${running} have not ended yet.` : ''}`}
        </Text>
        {different.map(({ executionId, replayId, differences }) => (
          <div key={replayId} className={classes.row}>
            <Text size="sm">
              <Anchor component={AppLink} href={`/executions/${executionId}`} size="sm">
                Recorded run
              </Anchor>{' '}
              and its{' '}
              <Anchor component={AppLink} href={`/executions/${replayId}`} size="sm">
                replay
              </Anchor>
            </Text>
            {differences.map(({ nodeId, change }) => (
              <Text key={nodeId} size="sm">
                <Anchor
                  component="button"
                  size="sm"
                  title={nodeId}
                  onClick={() => onShowNode(nodeId.replace(/\[.*$/, ''))}
                >
                  {nameOf(nodeId)}
                </Anchor>{' '}
                {DIFFERENCE_TEXTS[change]}
              </Text>
            ))}
          </div>
        ))}
      </Stack>
    </section>
  );
}
