import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { LightTooltip } from '@/components/ui/LightTooltip';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { LazyRoundPicker } from '../lazy-components';
import { useEditorRun } from '../run/editor-run';
import { useFirstItemRun } from '../run/useFirstItemRun';

/** Controls of an open loop: a run for its first item, and the round that is shown. `path`: leads to the body. */
export function LoopFrameTools({ path }: { path: readonly string[] }) {
  const { readRounds } = useEditorRun();
  const rounds = readRounds(path);
  const run = useFirstItemRun(path);
  return (
    <>
      {run.isOffered && (
        <PermittedButton to="workflow:execute">
          <LightTooltip label={run.refusal ?? 'Runs the loop with the first item only'}>
            <Button
              size="compact-sm"
              variant="light"
              leftSection={<IconPlayerPlay size={14} aria-hidden />}
              loading={run.isStarting}
              data-disabled={run.refusal !== undefined || undefined}
              aria-disabled={run.refusal !== undefined || undefined}
              onClick={run.start}
            >
              Run for the first item
            </Button>
          </LightTooltip>
        </PermittedButton>
      )}
      {rounds.all.size > 0 && <LazyRoundPicker rounds={rounds.all} value={rounds.chosen} onChange={rounds.choose} />}
    </>
  );
}
