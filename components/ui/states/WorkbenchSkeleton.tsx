import { Loader, Skeleton } from '@mantine/core';
import classes from './Workbench.module.css';

export function WorkbenchSkeleton() {
  return (
    <div className={classes.page} aria-busy="true">
      <div className={classes.bar}>
        <Skeleton w={28} h={28} />
        <Skeleton w={200} h={22} />
      </div>
      <div className={classes.skeleton}>
        <Loader aria-label="Loading" />
      </div>
    </div>
  );
}
