import type { Metadata } from 'next';
import { ChatRoom } from '@/components/conversation/ChatRoom';

export const metadata: Metadata = { title: 'Chat', robots: { index: false }, referrer: 'no-referrer' };

interface Props {
  params: Promise<{ workflowId: string; path: string[] }>;
}

export default async function Page({ params }: Props) {
  const { workflowId, path } = await params;
  return <ChatRoom address={[workflowId, ...path].join('/')} />;
}
