import {
  ActionIcon,
  Anchor,
  Combobox,
  Input,
  InputBase,
  Loader,
  Text,
  Tooltip,
  useCombobox,
  VisuallyHidden,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconRefresh } from '@tabler/icons-react';
import { use, useEffect, useEffectEvent, useState } from 'react';
import type { FieldChoice } from '@/contract/choices';
import type { FieldControlProps } from '../model/field-props';
import { schemaLabel } from '../model/field-schema';
import { ChoiceTargetContext } from './choice-target';
import classes from './Choices.module.css';
import { useFieldChoices, type FieldChoices, type ListFailure } from './useFieldChoices';

interface Props {
  label: string;
  source: NonNullable<FieldControlProps['schema']['x-choices']>;
  siblings: FieldControlProps['siblings'];
  siblingSchemas: FieldControlProps['siblingSchemas'];
  value: unknown;
  /** What the value was called when it was picked. */
  knownLabel?: string;
  isInvalid: boolean;
  /** The list opens by itself, and the only or usual choice is picked. */
  isNext?: boolean;
  onPick(choice: FieldChoice): void;
}

const SEARCH_DELAY_MS = 250;
/** Submitted by the last option, in place of a choice. */
const MORE_OPTION = '\u0000more';

/** Picks what a source lists, by search. */
export function ChoicePicker({
  label,
  source,
  siblings,
  siblingSchemas,
  value,
  knownLabel,
  isInvalid,
  isNext,
  onPick,
}: Props) {
  const fieldLabel = (field: string) => schemaLabel(field, siblingSchemas?.[field] ?? {});
  const [search, setSearch] = useState('');
  const [sought] = useDebouncedValue(search.trim(), SEARCH_DELAY_MS);
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      combobox.focusTarget();
      setSearch('');
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  });
  const all = useFieldChoices(source, siblings);
  const found = useFieldChoices(source, siblings, source.search ? sought : '');
  const current = value === undefined || value === null || value === '' ? undefined : String(value);
  const isSame = (choice: FieldChoice) => String(choice.value) === current;
  const picked =
    current === undefined ? undefined : (listedChoices(all).find(isSame) ?? listedChoices(found).find(isSame));
  const isGone = current !== undefined && !picked && all.state === 'listed' && !all.onMore && !all.isRefreshing;
  // A service takes names as well as ids, so what is not listed may be right. An id of this service says nothing to
  // people.
  const isForeign = use(ChoiceTargetContext)?.connectorId !== undefined || source.needsCredential === true;
  const shownLabel = knownLabel ?? (isForeign ? current : undefined);
  // Until the service has answered a search, the list before is filtered here, so that Enter picks nothing else.
  const isSearchedThere = source.search && sought === search.trim() && found.state === 'listed' && !found.isRefreshing;
  const offered = listedChoices(found).filter(
    (choice) => isSearchedThere || choice.label.toLowerCase().includes(search.trim().toLowerCase()),
  );
  const { length: offeredCount } = offered;
  const { selectFirstOption } = combobox;
  useEffect(() => {
    if (search.trim() !== '' && offeredCount > 0) selectFirstOption();
  }, [search, offeredCount, selectFirstOption]);
  useNextChoice(isNext === true, source.isFirstUsual === true, all, { pick: onPick, open: combobox.openDropdown });
  const submit = (option: string) => {
    if (option === MORE_OPTION) {
      if (found.state === 'listed') found.onMore?.();
      return;
    }
    const choice = offered.find((one) => String(one.value) === option);
    if (choice) onPick(choice);
    combobox.closeDropdown();
  };
  return (
    <>
      <div className={classes.row}>
        <Combobox store={combobox} position="bottom-start" onOptionSubmit={submit}>
          <Combobox.Target targetType="button">
            <InputBase
              component="button"
              type="button"
              data-picker
              aria-busy={all.state === 'loading'}
              pointer
              className={classes.grow}
              error={isInvalid || (isGone && !isForeign)}
              rightSection={all.state === 'loading' ? <Loader size={14} /> : <Combobox.Chevron />}
              rightSectionPointerEvents="none"
              disabled={['waiting', 'unknown', 'signed-out'].includes(all.state)}
              onClick={() => combobox.toggleDropdown()}
            >
              <VisuallyHidden>{label}: </VisuallyHidden>
              <PickedText all={all} picked={picked} current={current} knownLabel={shownLabel} fieldLabel={fieldLabel} />
            </InputBase>
          </Combobox.Target>
          <Combobox.Dropdown>
            <Combobox.Search
              aria-label={`Search ${label}`}
              placeholder="Search"
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
            {combobox.dropdownOpened && (
              <ChoiceOptions
                label={label}
                found={found}
                offered={offered}
                current={current}
                isSearched={search.trim() !== ''}
              />
            )}
          </Combobox.Dropdown>
        </Combobox>
        {all.state === 'listed' && (
          <Tooltip label="Read the list again">
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              loading={all.isRefreshing}
              aria-label={`Read the list of ${label} again`}
              onClick={all.onRefresh}
            >
              <IconRefresh size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      {all.state === 'failed' && <ChoiceFailure failure={all} />}
      {source.isProposed && (
        <Text size="xs" c="dimmed" mt={4}>
          The list is a guess from the addresses of the API. If it does not fit, choose “By id”.
        </Text>
      )}
      {isGone && isForeign && (
        <Text size="xs" c="dimmed" mt={4}>
          {knownLabel ? `“${knownLabel}” is not in the list any more.` : 'Not in the list.'} It is sent as it is.
        </Text>
      )}
      {isGone && !isForeign && (
        <Input.Error mt={4}>
          {knownLabel ? `“${knownLabel}” is` : 'What was picked is'} not in the list any more. It may have been deleted,
          or you may not see it.
        </Input.Error>
      )}
    </>
  );
}

/** Picks the only or usual choice of a list that comes next, or opens the list. */
function useNextChoice(
  isNext: boolean,
  isFirstUsual: boolean,
  all: FieldChoices,
  { pick, open }: { pick: Props['onPick']; open(): void },
): void {
  const isReady = isNext && all.state === 'listed' && !all.isRefreshing && all.choices.length > 0;
  const proceed = useEffectEvent(() => {
    if (all.state !== 'listed') return;
    const [first, other] = all.choices;
    if (first && (isFirstUsual || (!other && !all.onMore))) pick(first);
    else open();
  });
  useEffect(() => {
    if (isReady) proceed();
  }, [isReady]);
}

const listedChoices = (choices: FieldChoices): readonly FieldChoice[] =>
  choices.state === 'listed' ? choices.choices : [];

interface PickedTextProps {
  all: FieldChoices;
  picked: FieldChoice | undefined;
  current: string | undefined;
  knownLabel: string | undefined;
  fieldLabel(field: string): string;
}

function PickedText({ all, picked, current, knownLabel, fieldLabel }: PickedTextProps) {
  if (picked) return <span className={classes.picked}>{picked.label}</span>;
  if (all.state === 'signed-out') return <Input.Placeholder>Choose a credential first</Input.Placeholder>;
  if (all.state === 'waiting') return <Input.Placeholder>Pick {fieldLabel(all.field)} first</Input.Placeholder>;
  if (all.state === 'unknown')
    return (
      <Input.Placeholder>
        {all.field ? `An expression gives ${fieldLabel(all.field)}` : 'Nothing can be listed here'}
      </Input.Placeholder>
    );
  if (current === undefined)
    return (
      <Input.Placeholder>{all.state === 'loading' ? 'Loading the list …' : 'Pick from the list'}</Input.Placeholder>
    );
  if (knownLabel) return <span className={classes.picked}>{knownLabel}</span>;
  return <Input.Placeholder>{all.state === 'loading' ? 'Loading …' : 'Picked before'}</Input.Placeholder>;
}

interface ChoiceOptionsProps {
  label: string;
  found: FieldChoices;
  offered: readonly FieldChoice[];
  current: string | undefined;
  isSearched: boolean;
}

function ChoiceOptions({ label, found, offered, current, isSearched }: ChoiceOptionsProps) {
  return (
    <Combobox.Options mah={300} className={classes.options} aria-label={label}>
      {offered.map(({ value, label, hint }) => (
        <Combobox.Option key={value} value={String(value)} active={String(value) === current}>
          {label}
          {hint && (
            <Text size="xs" c="dimmed" truncate>
              {hint}
            </Text>
          )}
        </Combobox.Option>
      ))}
      {found.state === 'listed' && found.onMore && (
        <Combobox.Option value={MORE_OPTION}>
          <Text size="sm" c="dimmed">
            {found.isRefreshing ? 'Loading …' : 'Show more'}
          </Text>
        </Combobox.Option>
      )}
      {found.state === 'listed' && offered.length === 0 && !found.onMore && (
        <Combobox.Empty>{isSearched ? 'Nothing has this name.' : 'The list is empty.'}</Combobox.Empty>
      )}
      {found.state === 'loading' && <Combobox.Empty role="status">Waiting for the list …</Combobox.Empty>}
      {found.state === 'failed' && <Combobox.Empty>{found.message}</Combobox.Empty>}
    </Combobox.Options>
  );
}

/** Says why a list could not be read, and leads to where that is repaired. */
export function ChoiceFailure({ failure: { message, credentialId, onRetry } }: { failure: ListFailure }) {
  return (
    <Input.Error mt={4} role="alert">
      The list could not be read. {message}{' '}
      {credentialId !== undefined && (
        <>
          <Anchor href={`/credentials/${credentialId}`} target="_blank" size="xs" underline="always">
            Test or change the credential
          </Anchor>
          {' · '}
        </>
      )}
      <Anchor component="button" type="button" size="xs" onClick={onRetry}>
        Try again
      </Anchor>
    </Input.Error>
  );
}
