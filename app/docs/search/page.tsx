import type { Metadata } from 'next';
import { DocumentationResults } from '@/components/docs/DocumentationResults';
import { webServices } from '@/server/api/http/web-services';

export const metadata: Metadata = { title: 'Search' };

export default async function Page({ searchParams }: { searchParams: Promise<{ q?: string | string[] }> }) {
  const { q } = await searchParams;
  const search = typeof q === 'string' ? q : '';
  return <DocumentationResults search={search} hits={await webServices().searchDocumentation(search)} />;
}
