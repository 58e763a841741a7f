import type { Metadata } from 'next';
import { SecurityPolicies } from '@/components/settings/workspace/SecurityPolicies';

export const metadata: Metadata = { title: 'Security policies' };

export default function Page() {
  return <SecurityPolicies />;
}
