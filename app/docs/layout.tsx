import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { DocumentationFrame } from '@/components/docs/DocumentationFrame';
import { webServices } from '@/server/api/http/web-services';

export const metadata: Metadata = { title: { default: 'Documentation · Weft', template: '%s · Weft documentation' } };

export default function Layout({ children }: { children: ReactNode }) {
  return <DocumentationFrame sections={webServices().documentationSections()}>{children}</DocumentationFrame>;
}
