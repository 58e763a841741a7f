'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useDismissal } from '@/components/ui/useDismissal';
import type { DocumentationHit } from '@/contract/documentation';
import classes from './Documentation.module.css';
import { SearchHitExcerpt, SearchHitTitle } from './HitText';
import { fetchDocumentationHits } from './search';

/** The service is asked once no key was pressed for so long. */
const SEARCH_DEBOUNCE_MS = 120;
const MAX_SUGGESTED_HITS = 8;

/**
 * The search field of the documentation. Results appear while the reader types; without JavaScript the form leads to
 * their page.
 */
export function DocumentationSearch() {
  const router = useRouter();
  const list = useId();
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [search, setSearch] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const { hits, searched } = useDocumentationHits(search);
  useSearchShortcut(field);
  const isShown = isOpen && searched !== '' && search.trim() !== '';
  const shown = hits.slice(0, MAX_SUGGESTED_HITS);
  const current = shown[at];

  const close = () => {
    setOpen(false);
    setAt(-1);
  };
  const move = (step: number) => {
    // The arrow keys cycle through the results and the search field itself.
    const next = ((at + 1 + step + shown.length + 1) % (shown.length + 1)) - 1;
    setAt(next);
    setOpen(true);
    document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    // Enter without a choice leads to the page of all results, so nothing in the list needs the focus.
    Tab: close,
    Enter: () => {
      if (!current) return;
      close();
      router.push(current.address);
    },
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const run = keys[event.key];
    if (!run || (event.key === 'Enter' && !current)) return;
    if (event.key !== 'Tab') event.preventDefault();
    run();
  };
  useDismissal(form, { onPress: close, onEscape: close });
  return (
    <form action="/docs/search" role="search" className={classes.search} ref={form}>
      <input
        ref={field}
        type="search"
        name="q"
        role="combobox"
        aria-label="Search the documentation"
        aria-expanded={isShown}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={current && `${list}-${at}`}
        placeholder="Search"
        autoComplete="off"
        maxLength={200}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          setOpen(true);
          setAt(-1);
        }}
        onFocus={() => setOpen(true)}
        onKeyDown={onKeyDown}
      />
      <kbd aria-hidden className={classes.key}>
        /
      </kbd>
      <div className={classes.found} hidden={!isShown}>
        {isShown && shown.length === 0 && (
          <p role="status" className={classes.nothing}>
            No page has words like these. Try another word for the same thing.
          </p>
        )}
        <div id={list} role="listbox" aria-label="Results">
          {isShown &&
            shown.map((hit, index) => (
              <a
                key={hit.address}
                id={`${list}-${index}`}
                href={hit.address}
                role="option"
                aria-selected={index === at}
                tabIndex={-1}
                onPointerMove={() => setAt(index)}
                onClick={close}
              >
                <SearchHitTitle hit={hit} />
                <SearchHitExcerpt hit={hit} />
              </a>
            ))}
        </div>
        {isShown && hits.length > MAX_SUGGESTED_HITS && (
          <button type="submit" tabIndex={-1} className={classes.more}>
            All {hits.length} results
          </button>
        )}
      </div>
    </form>
  );
}

/**
 * What the service finds for a search, and the search that it was found for. The last answer stays until the next one
 * is there.
 */
function useDocumentationHits(search: string): { hits: DocumentationHit[]; searched: string } {
  const [answer, setAnswer] = useState<{ hits: DocumentationHit[]; searched: string }>({ hits: [], searched: '' });
  const wanted = search.trim();
  useEffect(() => {
    if (wanted === '') return undefined;
    const aborter = new AbortController();
    const timer = setTimeout(() => {
      fetchDocumentationHits(wanted, aborter.signal).then(
        (hits) => setAnswer({ hits, searched: wanted }),
        // A failed search is ignored, because Enter still leads to the page of results.
        () => undefined,
      );
    }, SEARCH_DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, [wanted]);
  return answer;
}

/** `/` and Ctrl+K lead to the field, from everywhere but other fields. */
function useSearchShortcut(field: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]');
      const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
      const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isSlash && !isPalette) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [field]);
}
