import { Link } from '@/components/ui/Link';
import type { ReactNode } from 'react';
import type { DocumentationSection } from '@/contract/documentation';
import { Logo } from '@/components/ui/art/Logo';
import classes from './Documentation.module.css';
import { DocumentationNavigation } from './DocumentationNavigation';
import { DocumentationSearch } from './DocumentationSearch';

/** The frame of the documentation: header with search, navigation, page. It works without JavaScript and without sign-in. */
export function DocumentationFrame({ sections, children }: { sections: DocumentationSection[]; children: ReactNode }) {
  return (
    <div className={classes.frame}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <header className={classes.header}>
        <Link href="/docs" className={classes.brand}>
          <Logo size={26} />
          Weft documentation
        </Link>
        <DocumentationSearch />
        <nav aria-label="Service" className={classes.links}>
          <Link href="/docs/api">API reference</Link>
          <Link href="/workflows">Open Weft</Link>
        </nav>
      </header>
      <div className={classes.columns}>
        <DocumentationNavigation sections={sections} />
        <main id="content" className={classes.main}>
          {children}
        </main>
      </div>
    </div>
  );
}
