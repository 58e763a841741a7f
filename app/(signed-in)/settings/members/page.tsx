import type { Metadata } from 'next';
import { MemberList } from '@/components/settings/MemberList';

export const metadata: Metadata = { title: 'Members' };

export default function Page() {
  return <MemberList />;
}
