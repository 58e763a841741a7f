'use client';

import { Failure } from '@/components/ui/states/Failure';

/** For errors of a layout: without the frame that has the landmarks. */
export default function Page({ reset }: { reset: () => void }) {
  return (
    <main>
      <Failure reset={reset} />
    </main>
  );
}
