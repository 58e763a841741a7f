import type { Metadata } from 'next';
import { ExecutionPage } from '@/components/runs/ExecutionPage';

export const metadata: Metadata = { title: 'Run' };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <ExecutionPage id={(await params).id} />;
}
