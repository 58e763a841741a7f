import type { DocumentationPage } from '@/contract/documentation';
import classes from './Documentation.module.css';

/** A page of the documentation, with its headings beside it on wide screens. */
export function DocumentationArticle({ page: { path, html, headings } }: { page: DocumentationPage }) {
  return (
    <div className={classes.page}>
      <article>
        <div className={classes.prose} dangerouslySetInnerHTML={{ __html: html }} />
        <footer className={classes.footer}>
          {/* A file, not a page of the app. */}
          <a href={`/docs/markdown${path && `/${path}`}`}>This page as Markdown</a>
        </footer>
      </article>
      {headings.length > 1 && (
        <nav aria-label="On this page" className={classes.headings}>
          <p>On this page</p>
          <ul>
            {headings.map(({ id, text }) => (
              <li key={id}>
                <a href={`#${id}`}>{text}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}
