import type { Metadata } from 'next';
import { RoleList } from '@/components/settings/roles/RoleList';

export const metadata: Metadata = { title: 'Roles' };

export default function Page() {
  return <RoleList />;
}
