import { ScrollArea, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { IconSearch, IconStar, IconStarFilled } from '@tabler/icons-react';
import { useId, useState, type DragEvent, type KeyboardEvent, type ReactNode } from 'react';
import classes from './SearchCombobox.module.css';
import { HighlightedText } from '../values/HighlightedText';
import { gatherGroups } from './gather-groups';
import { rankEntries } from './search-ranking';

export interface ComboboxChoice {
  id: string;
  group: string;
  title: string;
  description?: string;
  /** Additional words and phrases for the search. */
  words?: readonly string[];
  icon?: ReactNode;
  /** Shown only in search results. */
  isHidden?: boolean;
  /** Shown after all others in search results. */
  isLast?: boolean;
  /** The service has found it: shown after all others, in the given order, whatever its words are. */
  isFound?: boolean;
  /** Words to mark in title and description, in lower case. */
  marks?: readonly string[];
  /** Shown at the end of the line, e.g. a shortcut. */
  aside?: ReactNode;
}

interface ComboboxFavourites {
  ids: readonly string[];
  isPossible(id: string): boolean;
  onToggle(id: string): void;
}

interface Props {
  label: string;
  placeholder: string;
  choices: ComboboxChoice[];
  /** `isByFinger` is true if the person tapped, and false for a key or the mouse. */
  onPick(id: string, isByFinger: boolean): void;
  onClose(): void;
  /** Called with each change of the search, to fetch choices that match it. */
  onSearch?(search: string): void;
  /** The search at first. */
  initialSearch?: string;
  /** Index of the choice selected at first. */
  startAt?: number;
  onDragStart?(event: DragEvent, id: string): void;
  /** Choices that are marked as favourites, by the star or Alt+F. */
  stars?: ComboboxFavourites;
  /** What is found stays together by group, so that no heading is repeated. */
  isGathered?: boolean;
  /** Offered if nothing is found: ids of choices, and why. */
  fallback?: { ids: readonly string[]; hint: string };
}

const MAX_COMBOBOX_RESULTS = 60;
/** At most this many of the choices with `isLast` are shown. */
const MAX_LAST_RESULTS = 10;

/** A searchable list with keyboard navigation: up and down move by entry, left and right by group. */
export function SearchCombobox(props: Props) {
  const { label, placeholder, onPick, onSearch, onDragStart, stars, fallback } = props;
  const list = useId();
  const { search, setSearch, found, isEmpty, current, setAt, onKeyDown } = useComboboxState(list, props);
  return (
    <div className={classes.chooser}>
      <TextInput
        data-autofocus
        autoFocus
        aria-label={label}
        placeholder={placeholder}
        leftSection={<IconSearch size={16} aria-hidden />}
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={current && `${list}-${current.id}`}
        value={search}
        // Behind a search that it begins with, so that typing goes on.
        onFocus={({ currentTarget: field }) => field.setSelectionRange(field.value.length, field.value.length)}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          onSearch?.(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
      />
      {isEmpty && (
        <Text size="sm" c="dimmed" px="sm" pt={4} role="status">
          No results{fallback && `. ${fallback.hint}`}
        </Text>
      )}
      <ScrollArea.Autosize className={classes.scroll} type="scroll" viewportProps={{ tabIndex: -1 }}>
        <div id={list} role="listbox" aria-label={label} className={classes.list}>
          {found.map((choice, index) => (
            <div key={choice.id} role="presentation">
              {choice.group !== found[index - 1]?.group && (
                <div className={classes.group} role="presentation">
                  {choice.group}
                </div>
              )}
              {/* The search field keeps the focus and handles the arrow keys. */}
              <div
                id={`${list}-${choice.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={choice === current}
                className={classes.option}
                draggable={onDragStart !== undefined}
                onDragStart={(event) => onDragStart?.(event, choice.id)}
                onPointerMove={() => setAt(index)}
                onClick={({ nativeEvent }) => onPick(choice.id, isTap(nativeEvent))}
                onKeyDown={onKeyDown}
              >
                <ComboboxOptionContent choice={choice} stars={stars} />
              </div>
            </div>
          ))}
        </div>
      </ScrollArea.Autosize>
    </div>
  );
}

/** The search, what it finds, and the choice that the keys have reached. */
function useComboboxState(list: string, props: Props) {
  const { choices, onPick, onClose, startAt = 0, initialSearch = '', stars, fallback, isGathered } = props;
  const [search, setSearch] = useState(initialSearch);
  const [at, setAt] = useState(startAt);
  const ordered = filterAndOrder(choices, search);
  const matching = isGathered ? gatherGroups(ordered) : ordered;
  const isEmpty = matching.length === 0;
  const found = isEmpty && fallback ? choices.filter(({ id }) => fallback.ids.includes(id)) : matching;
  const current = found[Math.min(at, found.length - 1)];
  const groupStart = (step: number) => {
    const starts = found.flatMap((choice, index) => (choice.group === found[index - 1]?.group ? [] : [index]));
    const here = starts.filter((index) => index <= at).length - 1;
    return starts[(here + step + starts.length) % starts.length] ?? 0;
  };
  const move = (to: number) => {
    const next = (to + found.length) % Math.max(1, found.length);
    setAt(next);
    document.getElementById(`${list}-${found[next]?.id}`)?.scrollIntoView({ block: 'nearest' });
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(at + 1),
    ArrowUp: () => move(at - 1),
    ArrowRight: () => move(groupStart(1)),
    ArrowLeft: () => move(groupStart(-1)),
    Enter: () => current && onPick(current.id, false),
    Escape: onClose,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The code, because Alt changes the letter on some keyboards.
    const isStar = event.altKey && event.code === 'KeyF' && current !== undefined && stars?.isPossible(current.id);
    const isOfText = search !== '' && (event.key === 'ArrowLeft' || event.key === 'ArrowRight');
    const run = isStar ? () => stars?.onToggle(current.id) : isOfText ? undefined : keys[event.key];
    if (!run) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };
  const searchFor = (text: string) => {
    setSearch(text);
    setAt(0);
  };
  return { search, setSearch: searchFor, found, isEmpty, current, setAt, onKeyDown };
}

function ComboboxOptionContent({ choice, stars }: { choice: ComboboxChoice; stars: ComboboxFavourites | undefined }) {
  const isStarred = stars?.ids.includes(choice.id) ?? false;
  return (
    <>
      {choice.icon}
      <div className={classes.words}>
        <Text size="sm" fw={550}>
          <HighlightedText text={choice.title} words={choice.marks} />
          {isStarred && <VisuallyHidden> (favourite)</VisuallyHidden>}
        </Text>
        {choice.description && (
          <Text size="xs" c="dimmed" truncate title={choice.description}>
            <HighlightedText text={choice.description} words={choice.marks} />
          </Text>
        )}
      </div>
      {choice.aside}
      {stars?.isPossible(choice.id) && (
        // For the mouse: an option can't contain a button. The keyboard has Alt+F.
        <span
          className={classes.star}
          data-on={isStarred || undefined}
          aria-hidden
          title="Favourite (Alt+F)"
          onClick={(event) => {
            event.stopPropagation();
            stars.onToggle(choice.id);
          }}
        >
          {isStarred ? <IconStarFilled size={15} /> : <IconStar size={15} />}
        </span>
      )}
    </>
  );
}

const isTap = (event: MouseEvent) => 'pointerType' in event && event.pointerType === 'touch';

/**
 * Without a search, choices keep their order. With one, they are ordered by score regardless of groups, and those with
 * `isLast` come last.
 */
function filterAndOrder(choices: ComboboxChoice[], search: string): ComboboxChoice[] {
  if (search.trim() === '') return choices.filter(({ isHidden }) => !isHidden);
  const found = rankEntries(
    search,
    choices.filter(({ isFound }) => !isFound),
  );
  const last = found.filter(({ isLast }) => isLast).slice(0, MAX_LAST_RESULTS);
  const byService = choices.filter(({ isFound }) => isFound);
  return [...found.filter(({ isLast }) => !isLast).slice(0, MAX_COMBOBOX_RESULTS - last.length), ...last, ...byService];
}
