import { AppLink } from '@/components/ui/AppLink';
import type { DocumentationHit } from '@/contract/documentation';
import classes from './Documentation.module.css';
import { SearchHitExcerpt, SearchHitTitle } from './HitText';

/** The pages that a search found. */
export function DocumentationResults({ search, hits }: { search: string; hits: DocumentationHit[] }) {
  return (
    <div className={classes.prose}>
      <h1>{search ? `Results for “${search.slice(0, 200)}”` : 'Search'}</h1>
      <p role="status">{describeHitCount(search, hits.length)}</p>
      {hits.length === 0 && <OtherEntryPoints />}
      <ul className={classes.hits}>
        {hits.map((hit) => (
          <li key={hit.address}>
            <a href={hit.address}>
              <SearchHitTitle hit={hit} />
            </a>
            <SearchHitExcerpt hit={hit} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Links for a reader whose search found nothing. */
function OtherEntryPoints() {
  return (
    <p>
      <AppLink href="/docs">What you can do, by purpose</AppLink>,{' '}
      <AppLink href="/docs/concepts">the words that these pages use</AppLink>,{' '}
      <AppLink href="/docs/configuration">every variable</AppLink>, <AppLink href="/docs/limits">every limit</AppLink>,
      or <AppLink href="/docs/api">every call of the API</AppLink>.
    </p>
  );
}

function describeHitCount(search: string, count: number): string {
  if (!search.trim()) return 'Enter one or more words in the search field.';
  if (!count) return 'No page has words like these. Try another word for the same thing, or look here:';
  return count === 1 ? '1 page' : `${count} pages, the best first`;
}
