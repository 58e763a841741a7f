import type { Metadata } from 'next';
import { ApiKeyList } from '@/components/settings/api-keys/ApiKeyList';

export const metadata: Metadata = { title: 'API keys' };

export default function Page() {
  return <ApiKeyList />;
}
