import { AppLink } from '@/components/ui/AppLink';
import type { ReactNode } from 'react';
import type { DocumentationSection } from '@/contract/documentation';
import { WeftLogo } from '@/components/ui/art/WeftLogo';
import classes from './Documentation.module.css';
import { DocumentationNavigation } from './DocumentationNavigation';
import { DocumentationSearch } from './DocumentationSearch';

/**
 * The frame of the documentation: header with search, navigation, page. It works without JavaScript and without
 * sign-in.
 */
export function DocumentationFrame({ sections, children }: { sections: DocumentationSection[]; children: ReactNode }) {
  return (
    <div className={classes.frame}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <header className={classes.header}>
        <AppLink href="/docs" className={classes.brand}>
          <WeftLogo size={26} />
          Weft documentation
        </AppLink>
        <DocumentationSearch />
        <nav aria-label="Service" className={classes.links}>
          <AppLink href="/docs/api">API reference</AppLink>
          <AppLink href="/workflows">Open Weft</AppLink>
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
