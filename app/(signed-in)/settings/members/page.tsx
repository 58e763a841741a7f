import type { Metadata } from 'next';
import { MemberList } from '@/components/settings/members/MemberList';

export const metadata: Metadata = { title: 'Members' };

export default function Page() {
  return <MemberList />;
}
