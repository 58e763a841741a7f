import { Alert } from '@mantine/core';

/** An error above a form that belongs to no field. */
export function ErrorNote({ children }: { children: string | null | undefined }) {
  if (!children) return null;
  return (
    <Alert color="madder" role="alert">
      {children}
    </Alert>
  );
}
