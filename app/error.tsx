'use client';

import { PageErrorState } from '@/components/ui/states/PageErrorState';

/** For errors of a layout: without the frame that has the landmarks. */
export default function Page({ reset }: { reset: () => void }) {
  return (
    <main>
      <PageErrorState reset={reset} />
    </main>
  );
}
