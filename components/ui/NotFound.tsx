import { EmptyState } from './EmptyState';
import classes from './EmptyState.module.css';
import { KnotArt } from './KnotArt';

export function NotFound() {
  return (
    <EmptyState
      art={<KnotArt />}
      title="This thread leads nowhere"
      action={
        // oxlint-disable-next-line nextjs/no-html-link-for-pages -- every page carries this one, so it brings no code
        <a href="/workflows" className={classes.way}>
          To all workflows
        </a>
      }
    >
      The page doesn’t exist, or what it showed was deleted.
    </EmptyState>
  );
}
