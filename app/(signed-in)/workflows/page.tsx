import type { Metadata } from 'next';
import { WorkflowList } from '@/components/workflows/WorkflowList';

export const metadata: Metadata = { title: 'Workflows' };

export default function Page() {
  return <WorkflowList />;
}
