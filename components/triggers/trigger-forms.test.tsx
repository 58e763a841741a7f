// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, waitFor } from '@testing-library/react';
import { createTRPCClient, httpLink } from '@trpc/client';
import { afterEach, expect, test, vi } from 'vitest';
import type { AppRouter } from '@/server/api/http/trpc/trpc';
import { TRPCProvider } from '@/components/client/trpc';
import { identifierMark } from '@/components/forms/testing/identifier-mark';
import { listPublicNodeTypes } from '@/server/workflow/nodes';
import { TRIGGER_KINDS } from './kinds';

// Links and routes of Next.js need its router.
vi.mock('next/link', () => ({ default: 'a' }));
vi.mock('next/navigation', () => ({ useRouter: () => ({}), useSearchParams: () => new URLSearchParams() }));

// happy-dom has no document.fonts, which autosizing text areas use.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

afterEach(cleanup);

/** A workspace without objects; the node types are those of the service. */
const answerCall = (url: unknown): Promise<Response> => {
  const data = String(url).includes('nodeTypes.list')
    ? { data: listPublicNodeTypes() }
    : { data: [], total: 0, limit: 100, offset: 0, nextCursor: null, workspaces: [], settings: {} };
  return Promise.resolve(Response.json({ result: { data } }));
};

const client = createTRPCClient<AppRouter>({
  links: [httpLink({ url: 'http://service.example/api/trpc', fetch: answerCall })],
});

const LABEL_ELEMENTS = 'label, legend, h1, h2, h3, h4, button, summary, th, [role=option]';

/** The texts in an element by the elements that they stand in: a label and its hint are two. */
function readTexts(element: Element): string[] {
  if (element.matches('code, pre, svg')) return [];
  const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
  return [own.map(({ textContent }) => textContent).join(''), ...[...element.children].flatMap(readTexts)];
}

/** Texts and names that people read as labels, but for what stands there as code. */
const readLabels = (): string[] =>
  [...document.querySelectorAll<HTMLElement>(`${LABEL_ELEMENTS}, [aria-label]`)]
    .flatMap((element) => [
      element.getAttribute('aria-label') ?? '',
      ...(element.matches(LABEL_ELEMENTS) ? readTexts(element) : []),
    ])
    .map((text) => text.trim())
    // The star of a required field, and punctuation between words.
    .filter((text) => /\w/.test(text));

test.each(TRIGGER_KINDS.filter(({ Dialog }) => Dialog).map((kind) => [kind.kind, kind] as const))(
  'labels and options of the form of a %s are words',
  async (_, { Dialog }) => {
    if (!Dialog) return expect.unreachable();
    const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    render(
      <MantineProvider env="test">
        <QueryClientProvider client={queries}>
          <TRPCProvider trpcClient={client} queryClient={queries}>
            <Dialog workflow={{ id: 'wf_1', status: 'draft' }} id={undefined} onClose={() => undefined} />
          </TRPCProvider>
        </QueryClientProvider>
      </MantineProvider>,
    );
    await waitFor(() => expect(document.querySelectorAll('input, textarea').length).toBeGreaterThan(0), {
      timeout: 20_000,
    });
    const labels = new Set(readLabels());
    for (const list of document.querySelectorAll<HTMLElement>('[aria-haspopup=listbox]')) {
      fireEvent.click(list);
      await waitFor(() => expect(document.querySelectorAll('[role=option]').length).toBeGreaterThan(0));
      for (const label of readLabels()) labels.add(label);
      fireEvent.keyDown(list, { key: 'Escape' });
    }
    expect(labels.size).toBeGreaterThan(5);
    expect([...labels].filter((label) => identifierMark(label) !== undefined)).toEqual([]);
  },
);
