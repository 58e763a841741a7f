import type { Metadata } from 'next';
import { EditorPage } from '@/components/editor/EditorPage';

export const metadata: Metadata = { title: 'Workflow' };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <EditorPage id={(await params).id} />;
}
