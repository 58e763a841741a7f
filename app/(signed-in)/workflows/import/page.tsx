import type { Metadata } from 'next';
import { N8nImportPage } from '@/components/workflows/n8n/N8nImportPage';

export const metadata: Metadata = { title: 'Import from n8n' };

export default function Page() {
  return <N8nImportPage />;
}
