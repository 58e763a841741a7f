import { Skeleton, Stack } from '@mantine/core';
import classes from '../page/SidePanel.module.css';

/** Placeholder of a side panel with its width. */
export function PanelSkeleton() {
  return (
    <aside className={classes.panel} aria-busy="true" aria-label="Loading">
      <div className={classes.head}>
        <Skeleton w={180} h={22} mt={9} />
      </div>
      <Stack className={classes.content} gap="lg">
        {[42, 66, 30, 88].map((height) => (
          <Skeleton key={height} h={height} />
        ))}
      </Stack>
    </aside>
  );
}
