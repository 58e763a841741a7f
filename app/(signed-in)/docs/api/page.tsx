import type { Metadata } from 'next';
import { ApiReference } from '@/components/docs/reference/ApiReference';

export const metadata: Metadata = { title: 'API' };

export default function Page() {
  return <ApiReference />;
}
