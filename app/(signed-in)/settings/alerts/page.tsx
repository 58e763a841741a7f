import type { Metadata } from 'next';
import { AlertList } from '@/components/settings/alerts/AlertList';

export const metadata: Metadata = { title: 'Alerts' };

export default function Page() {
  return <AlertList />;
}
