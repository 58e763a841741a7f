import type { Metadata } from 'next';
import { PageNotFoundState } from '@/components/ui/states/PageNotFoundState';

export const metadata: Metadata = { title: 'Not found' };

export default function Page() {
  return (
    <main>
      <PageNotFoundState />
    </main>
  );
}
