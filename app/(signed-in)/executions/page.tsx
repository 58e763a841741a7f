import type { Metadata } from 'next';
import { ExecutionList } from '@/components/runs/list/ExecutionList';

export const metadata: Metadata = { title: 'Runs' };

export default function Page() {
  return <ExecutionList />;
}
