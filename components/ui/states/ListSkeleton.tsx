import { Skeleton } from '@mantine/core';
import classes from '../lists/Table.module.css';

/** Placeholder of a table with the height of its rows. */
export function ListSkeleton({ rows }: { rows: number }) {
  return (
    <div className={classes.frame} aria-busy="true" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} style={{ padding: '17px 20px', borderTop: row ? '1px solid var(--weft-line)' : undefined }}>
          <Skeleton h={18} w={`${38 + ((row * 17) % 30)}%`} />
        </div>
      ))}
    </div>
  );
}
