import type { DocumentationHit } from '@/contract/documentation';

/** Asks the service for the pages that answer a search. */
export async function fetchDocumentationHits(search: string, signal: AbortSignal): Promise<DocumentationHit[]> {
  const answer = await fetch(`/docs/search.json?q=${encodeURIComponent(search)}`, { signal });
  if (!answer.ok) throw new Error(`The service answered ${answer.status}.`);
  return (await answer.json()) as DocumentationHit[];
}
