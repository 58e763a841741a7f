import type { Metadata } from 'next';
import { CredentialPage } from '@/components/credentials/CredentialPage';

export const metadata: Metadata = { title: 'Credential' };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <CredentialPage id={(await params).id} />;
}
