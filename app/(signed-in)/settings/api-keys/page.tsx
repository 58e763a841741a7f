import type { Metadata } from 'next';
import { ApiKeyList } from '@/components/settings/ApiKeyList';

export const metadata: Metadata = { title: 'API keys' };

export default function Page() {
  return <ApiKeyList />;
}
