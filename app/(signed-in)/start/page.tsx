import type { Metadata } from 'next';
import { StartPage } from '@/components/workflows/start/StartPage';

export const metadata: Metadata = { title: 'New workflow' };

export default function Page() {
  return <StartPage />;
}
