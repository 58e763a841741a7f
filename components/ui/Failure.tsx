import { Button } from '@mantine/core';
import { EmptyState } from './EmptyState';
import { KnotArt } from './KnotArt';

/** What stands in place of a page that broke. */
export function Failure({ reset }: { reset: () => void }) {
  return (
    <EmptyState
      art={<KnotArt />}
      title="This page broke"
      action={
        <Button onClick={reset} variant="light">
          Try again
        </Button>
      }
    >
      Nothing you saved is lost. If it happens again, reload the page.
    </EmptyState>
  );
}
