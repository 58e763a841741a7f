import { Anchor, Tooltip } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { Link } from '@/components/ui/Link';
import { triggerWord, type Triggered } from './trigger';

/** What started a run. A repeated run shows what started the original one, with a link to the run that it repeats. */
export function TriggerLabel({ run }: { run: Triggered }) {
  const { originalTrigger, rerunOf } = run;
  return (
    <>
      {triggerWord(run)}
      {originalTrigger && rerunOf && (
        <>
          {' '}
          <Tooltip label="Open the run that this one repeats">
            <Anchor component={Link} href={`/executions/${rerunOf}`} inherit style={{ whiteSpace: 'nowrap' }}>
              <IconRepeat size="1em" aria-hidden style={{ verticalAlign: '-0.125em' }} /> repeated
            </Anchor>
          </Tooltip>
        </>
      )}
    </>
  );
}
