import { EmptyState } from './EmptyState';
import classes from './EmptyState.module.css';
import { PageErrorArt } from '../art/PageErrorArt';

/** The error page of a component that threw. */
export function PageErrorState({ reset }: { reset: () => void }) {
  return (
    <EmptyState
      art={<PageErrorArt />}
      title="This page failed"
      level="h1"
      action={
        <button type="button" className={classes.way} onClick={reset}>
          Try again
        </button>
      }
    >
      Saved work is not lost. If this happens again, reload the page.
    </EmptyState>
  );
}
