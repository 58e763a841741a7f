import type { Metadata } from 'next';
import { NotFound } from '@/components/ui/states/NotFound';

export const metadata: Metadata = { title: 'Not found' };

export default function Page() {
  return (
    <main>
      <NotFound />
    </main>
  );
}
