import { Anchor, Tooltip } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { AppLink } from '@/components/ui/AppLink';
import { runTriggerLabel, type TriggeredRun } from './trigger';

/** What started a run. A repeated run shows what started the original one, with a link to the run that it repeats. */
export function TriggerLabel({ run }: { run: TriggeredRun }) {
  const { originalTrigger, rerunOf } = run;
  return (
    <>
      {runTriggerLabel(run)}
      {originalTrigger && rerunOf && (
        <>
          {' '}
          <Tooltip label="Open the run that this one repeats">
            <Anchor component={AppLink} href={`/executions/${rerunOf}`} inherit style={{ whiteSpace: 'nowrap' }}>
              <IconRepeat size="1em" aria-hidden style={{ verticalAlign: '-0.125em' }} /> repeated
            </Anchor>
          </Tooltip>
        </>
      )}
    </>
  );
}
