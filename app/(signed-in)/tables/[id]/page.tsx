import type { Metadata } from 'next';
import { TablePage } from '@/components/tables/TablePage';

export const metadata: Metadata = { title: 'Table' };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <TablePage id={(await params).id} />;
}
