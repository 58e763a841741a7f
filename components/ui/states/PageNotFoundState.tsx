import { EmptyState } from './EmptyState';
import classes from './EmptyState.module.css';
import { PageErrorArt } from '../art/PageErrorArt';

export function PageNotFoundState() {
  return (
    <EmptyState
      art={<PageErrorArt />}
      title="Page not found"
      level="h1"
      action={
        // oxlint-disable-next-line nextjs/no-html-link-for-pages -- every page includes this component, so it loads no router code
        <a href="/workflows" className={classes.way}>
          Go to workflows
        </a>
      }
    >
      The page does not exist, or its content was deleted.
    </EmptyState>
  );
}
