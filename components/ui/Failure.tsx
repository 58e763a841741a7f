import { EmptyState } from './EmptyState';
import classes from './EmptyState.module.css';
import { KnotArt } from './KnotArt';

/** What stands in place of a page that broke. */
export function Failure({ reset }: { reset: () => void }) {
  return (
    <EmptyState
      art={<KnotArt />}
      title="This page broke"
      action={
        <button type="button" className={classes.way} onClick={reset}>
          Try again
        </button>
      }
    >
      Nothing you saved is lost. If it happens again, reload the page.
    </EmptyState>
  );
}
