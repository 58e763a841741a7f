import type { Metadata } from 'next';
import { SecuritySettings } from '@/components/settings/account/SecuritySettings';

export const metadata: Metadata = { title: 'Your security' };

export default function Page() {
  return <SecuritySettings />;
}
