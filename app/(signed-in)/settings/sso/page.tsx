import type { Metadata } from 'next';
import { SsoProviderList } from '@/components/settings/sso/SsoProviderList';

export const metadata: Metadata = { title: 'Single sign-on' };

export default function Page() {
  return <SsoProviderList />;
}
