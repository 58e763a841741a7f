import { Link } from '@/components/ui/Link';
import type { DocumentationHit } from '@/contract/documentation';
import classes from './Documentation.module.css';
import { HitExcerpt, HitTitle } from './HitText';

/** The pages that a search found. */
export function DocumentationResults({ search, hits }: { search: string; hits: DocumentationHit[] }) {
  return (
    <div className={classes.prose}>
      <h1>{search ? `Results for “${search.slice(0, 200)}”` : 'Search'}</h1>
      <p role="status">{summary(search, hits.length)}</p>
      {hits.length === 0 && <Elsewhere />}
      <ul className={classes.hits}>
        {hits.map((hit) => (
          <li key={hit.address}>
            <a href={hit.address}>
              <HitTitle hit={hit} />
            </a>
            <HitExcerpt hit={hit} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Where a reader goes on whose search found nothing. */
function Elsewhere() {
  return (
    <p>
      <Link href="/docs">What you can do, by purpose</Link>,{' '}
      <Link href="/docs/concepts">the words that these pages use</Link>,{' '}
      <Link href="/docs/configuration">every variable</Link>, <Link href="/docs/limits">every limit</Link>, or{' '}
      <Link href="/docs/api">every call of the API</Link>.
    </p>
  );
}

function summary(search: string, count: number): string {
  if (!search.trim()) return 'Enter one or more words in the search field.';
  if (!count) return 'No page has words like these. Try another word for the same thing, or look here:';
  return count === 1 ? '1 page' : `${count} pages, the best first`;
}
