import type { Metadata } from 'next';
import { TableList } from '@/components/tables/TableList';

export const metadata: Metadata = { title: 'Tables' };

export default function Page() {
  return <TableList />;
}
