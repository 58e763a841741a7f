import type { Metadata } from 'next';
import { ConnectorList } from '@/components/connectors/ConnectorList';

export const metadata: Metadata = { title: 'Connectors' };

export default function Page() {
  return <ConnectorList />;
}
