import type { Metadata } from 'next';
import { ExecutionList } from '@/components/executions/ExecutionList';

export const metadata: Metadata = { title: 'Executions' };

export default function Page() {
  return <ExecutionList />;
}
