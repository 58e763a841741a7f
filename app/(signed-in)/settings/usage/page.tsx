import type { Metadata } from 'next';
import { UsageSettings } from '@/components/settings/workspace/UsageSettings';

export const metadata: Metadata = { title: 'Usage' };

export default function Page() {
  return <UsageSettings />;
}
