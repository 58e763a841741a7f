import { useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { MAIN_PAGES } from '@/components/client/navigation-pages';
import { SETTINGS_PAGES } from '@/components/client/settings-pages';
import { signOutToLogin } from '@/components/client/sign-out';
import { useTRPC } from '@/components/client/trpc';
import { usePermissions, type PermissionName } from '@/components/client/usePermissions';
import { useCurrentUser } from '@/components/client/useCurrentUser';
import { fetchDocumentationHits } from '@/components/docs/search';
import type { ComboboxChoice } from '@/components/ui/choosing/SearchCombobox';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { readRecentEntries, putRecentFirst, rememberRecentEntry } from './recent';
import { sendPaletteRequest } from './requests';

interface PaletteEntry extends ComboboxChoice {
  run(): void;
}

const RESULTS_PER_KIND = '20';
/** Length of a search that the service accepts. */
const MAX_SEARCH_CHARACTERS = 200;

/**
 * The entries of the command palette: pages, actions, and what the service finds for the search with the permissions of
 * the caller in this workspace. Runs of the workflow `exceptRunsOf` are left out.
 */
export function usePaletteEntries(search: string, exceptRunsOf?: string) {
  const { workspace } = useCurrentUser();
  const found = useSearchEntries(search, exceptRunsOf);
  const fixed = [...usePageEntries(), ...useActionEntries()];
  const entries: PaletteEntry[] = [...fixed, ...found, ...useDocumentationEntries(search)];
  const workspaceId = workspace?.id ?? '';
  return {
    choices: search.trim() === '' ? putRecentFirst(entries, readRecentEntries(workspaceId)) : entries,
    pick(id: string) {
      rememberRecentEntry(workspaceId, id);
      entries.find((entry) => entry.id === id)?.run();
    },
  };
}

function usePageEntries(): PaletteEntry[] {
  const router = useRouter();
  const can = usePermissions();
  const pages = [
    ...MAIN_PAGES.map((place) => ({ ...place, group: 'Pages' })),
    ...SETTINGS_PAGES.map((place) => ({ ...place, group: 'Settings' })),
  ];
  return pages
    .filter(({ needs }) => !needs || can(needs) !== 'none')
    .map(({ label, path, group }) => ({
      id: `page:${path}`,
      group,
      title: label,
      words: group === 'Settings' ? ['settings'] : [],
      run: () => router.push(path),
    }));
}

function useActionEntries(): PaletteEntry[] {
  const can = usePermissions();
  const router = useRouter();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const isDark =
    colorScheme === 'dark' || (colorScheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  const actions: (Omit<PaletteEntry, 'group'> & { needs?: PermissionName })[] = [
    {
      id: 'action:describe',
      title: 'Describe a workflow',
      words: ['ai', 'build', 'prompt', 'start'],
      needs: 'workflow:create',
      run: () => router.push('/start'),
    },
    {
      id: 'action:create',
      title: 'New workflow',
      words: ['create', 'add'],
      needs: 'workflow:create',
      run: () => sendPaletteRequest({ kind: 'create' }),
    },
    {
      id: 'action:import',
      title: 'Import a workflow',
      words: ['n8n', 'file'],
      needs: 'workflow:create',
      run: () => sendPaletteRequest({ kind: 'import' }),
    },
    {
      id: 'action:templates',
      title: 'Start from a template',
      needs: 'workflow:create',
      run: () => sendPaletteRequest({ kind: 'templates' }),
    },
    {
      id: 'action:theme',
      title: isDark ? 'Switch to light mode' : 'Switch to dark mode',
      words: ['dark mode', 'light mode', 'theme', 'appearance', 'toggle'],
      run: () => setColorScheme(isDark ? 'light' : 'dark'),
    },
    { id: 'action:leave', title: 'Sign out', words: ['log out', 'logout'], run: () => void signOutToLogin() },
  ];
  return actions
    .filter(({ needs }) => !needs || can(needs) !== 'none')
    .map(({ needs: _, ...action }) => ({ ...action, group: 'Actions' }));
}

/** What the service finds. A list that the caller may not read is not asked for. */
function useSearchEntries(search: string, exceptRunsOf?: string): PaletteEntry[] {
  const trpc = useTRPC();
  const router = useRouter();
  const can = usePermissions();
  const [debounced] = useDebouncedValue(search.trim().slice(0, MAX_SEARCH_CHARACTERS), 150);
  const query = { limit: RESULTS_PER_KIND, search: debounced || undefined };
  const when = (right: PermissionName) => ({
    enabled: can(right) !== 'none',
    staleTime: 10_000,
    placeholderData: keepPreviousData,
  });
  const workflows = useQuery(trpc.workflows.list.queryOptions({ query }, when('workflow:read')));
  const runs = useQuery(trpc.executions.list.queryOptions({ query }, when('execution:read')));
  const credentials = useQuery(trpc.credentials.list.queryOptions({ query }, when('credential:read')));
  const tables = useQuery(trpc.tables.list.queryOptions({ query: { limit: '100' } }, when('table:read')));
  const templates = useQuery(
    trpc.templates.list.queryOptions(
      { query: { limit: '100' } },
      { enabled: can('workflow:create') !== 'none', staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  const named = (group: string, path: string, items: { id: string; name: string }[] = []): PaletteEntry[] =>
    items.map(({ id, name }) => ({
      id: `${path}:${id}`,
      group,
      title: name,
      run: () => router.push(`/${path}/${id}`),
    }));
  return [
    ...named('Workflows', 'workflows', workflows.data?.data),
    ...(runs.data?.data ?? [])
      .filter(({ workflowId }) => workflowId !== exceptRunsOf)
      .map(({ id, workflowName, status, startedAt }) => ({
        id: `executions:${id}`,
        group: 'Runs',
        title: `${workflowName}: ${RUN_STATUS_STYLE[status].label.toLowerCase()}`,
        words: [id, 'run', status],
        aside: <TimeAgo at={startedAt} />,
        run: () => router.push(`/executions/${id}`),
      })),
    ...named('Tables', 'tables', tables.data?.data),
    ...named('Credentials', 'credentials', credentials.data?.data),
    ...(templates.data?.data ?? []).map(({ id, name }) => ({
      id: `template:${id}`,
      group: 'Templates',
      title: name,
      words: ['template'],
      isHidden: true,
      run: () => sendPaletteRequest({ kind: 'templates', id }),
    })),
  ];
}

/** How many pages of the documentation are shown. */
const MAX_DOCUMENTATION_HITS = 6;

/**
 * The documentation: its first page, and the pages that answer the search. If they can't be loaded, the page of results
 * is still there.
 */
function useDocumentationEntries(search: string): PaletteEntry[] {
  const wanted = search.trim().slice(0, MAX_SEARCH_CHARACTERS);
  const [debounced] = useDebouncedValue(wanted, 150);
  const { data: hits = [] } = useQuery({
    queryKey: ['documentation', debounced],
    queryFn: ({ signal }) => fetchDocumentationHits(debounced, signal),
    enabled: debounced !== '',
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  const open = (path: string) => () => void window.open(path, '_blank', 'noopener');
  const group = 'Documentation';
  return [
    { id: 'docs:home', group, title: 'Documentation', words: ['help'], run: open('/docs') },
    { id: 'docs:api', group, title: 'API reference', words: ['openapi'], run: open('/docs/api') },
    ...(wanted === ''
      ? []
      : [
          ...hits.slice(0, MAX_DOCUMENTATION_HITS).map(({ address, title, heading, excerpt, marks }) => ({
            id: `docs:${address}`,
            group,
            title: heading ? `${title} › ${heading}` : title,
            description: excerpt,
            marks,
            isHidden: true,
            isFound: true,
            run: open(address),
          })),
          {
            id: 'docs:search',
            group,
            title: `Search the documentation for “${wanted}”`,
            isHidden: true,
            isFound: true,
            run: open(`/docs/search?q=${encodeURIComponent(wanted)}`),
          },
        ]),
  ];
}
