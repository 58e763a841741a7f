import type { Metadata } from 'next';
import { WorkspaceSettings } from '@/components/settings/workspace/WorkspaceSettings';

export const metadata: Metadata = { title: 'Workspace' };

export default function Page() {
  return <WorkspaceSettings />;
}
