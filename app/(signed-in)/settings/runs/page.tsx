import type { Metadata } from 'next';
import { RunSettings } from '@/components/settings/workspace/RunSettings';

export const metadata: Metadata = { title: 'Runs and webhooks' };

export default function Page() {
  return <RunSettings />;
}
