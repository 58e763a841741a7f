'use client';

import { AppLink } from '@/components/ui/AppLink';
import { usePathname } from 'next/navigation';
import type { DocumentationSection } from '@/contract/documentation';
import classes from './Documentation.module.css';
import { documentationUrl } from './address';

const scrollLinkIntoView = (link: HTMLAnchorElement | null) => link?.scrollIntoView({ block: 'nearest' });

/** The list of all pages. On narrow screens it is folded. */
export function DocumentationNavigation({ sections }: { sections: DocumentationSection[] }) {
  const current = usePathname();
  const pages = sections.map(({ title, pages: entries }) => (
    <details key={title} open={entries.length < 9 || entries.some(({ path }) => documentationUrl(path) === current)}>
      <summary>{title}</summary>
      <ul>
        {entries.map(({ path, title: name }) => (
          <li key={path}>
            <AppLink
              href={documentationUrl(path)}
              {...(documentationUrl(path) === current && { 'aria-current': 'page', ref: scrollLinkIntoView })}
            >
              {name}
            </AppLink>
          </li>
        ))}
      </ul>
    </details>
  ));
  return (
    <>
      <nav aria-label="Documentation" className={classes.navigation}>
        {pages}
      </nav>
      {/* A new key closes it when a page was chosen. */}
      <details key={current} className={classes.narrow}>
        <summary>All pages</summary>
        <nav aria-label="All pages">{pages}</nav>
      </details>
    </>
  );
}
