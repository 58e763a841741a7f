import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { DocumentationArticle } from '@/components/docs/DocumentationArticle';
import { webServices } from '@/server/api/http/web-services';

interface Props {
  params: Promise<{ path?: string[] }>;
}

const pageOf = async ({ params }: Props) => webServices().readDocumentationPage(((await params).path ?? []).join('/'));

export async function generateMetadata(props: Props): Promise<Metadata> {
  const page = await pageOf(props);
  return page?.path ? { title: page.title } : {};
}

export default async function Page(props: Props) {
  const page = await pageOf(props);
  if (!page) notFound();
  return <DocumentationArticle page={page} />;
}
