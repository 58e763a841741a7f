import type { Metadata } from 'next';
import { CredentialList } from '@/components/credentials/CredentialList';

export const metadata: Metadata = { title: 'Credentials' };

export default function Page() {
  return <CredentialList />;
}
