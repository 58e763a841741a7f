'use client';

import { Button } from '@mantine/core';
import Link from 'next/link';
import { EmptyState } from './EmptyState';
import { KnotArt } from './KnotArt';

export function NotFound() {
  return (
    <EmptyState
      art={<KnotArt />}
      title="This thread leads nowhere"
      action={
        <Button component={Link} href="/workflows" variant="light">
          To all workflows
        </Button>
      }
    >
      The page doesn’t exist, or what it showed was deleted.
    </EmptyState>
  );
}
