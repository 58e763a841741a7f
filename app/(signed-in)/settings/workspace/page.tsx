import type { Metadata } from 'next';
import { GeneralSettings } from '@/components/settings/workspace/GeneralSettings';

export const metadata: Metadata = { title: 'Workspace' };

export default function Page() {
  return <GeneralSettings />;
}
