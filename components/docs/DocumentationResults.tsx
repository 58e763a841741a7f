import type { DocumentationHit } from '@/contract/documentation';
import { addressOf } from './address';
import classes from './Documentation.module.css';

/** The pages that a search found. */
export function DocumentationResults({ search, hits }: { search: string; hits: DocumentationHit[] }) {
  return (
    <div className={classes.prose}>
      <h1>{search ? `Results for “${search.slice(0, 200)}”` : 'Search'}</h1>
      <p role="status">{summary(search, hits.length)}</p>
      <ul className={classes.hits}>
        {hits.map(({ path, title, excerpt }) => (
          <li key={path}>
            <a href={addressOf(path)}>{title}</a>
            <p>{excerpt}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}

function summary(search: string, count: number): string {
  if (!search) return 'Enter one or more words in the search field.';
  if (!count) return 'No page contains all of these words. Try fewer or shorter words.';
  return count === 1 ? '1 page' : `${count} pages`;
}
