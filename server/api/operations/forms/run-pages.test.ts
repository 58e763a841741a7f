import { beforeEach, describe, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import type { ListOpenFormPagesResponse } from '@/contract/triggers/form-page';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { removeEndedRunData } from '@/server/engine/endings/run-data-removal';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { Browser } from '@/server/testing/browser';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type TestUser } from '@/server/testing/factories';
import { flow, type Sketch } from '@/server/testing/flow';
import { buildForm, fillIn, post, signedIn, tokenIn, type TestForm } from '@/server/testing/forms';
import { until } from '@/server/testing/runs';
import { useWorker } from '@/server/testing/worker';

useDatabase();
useWorker({ concurrency: 10 });

const start: Sketch = { type: 'start' };
const page = (config: object = {}): Sketch => ({
  type: 'form_page',
  config: {
    title: 'Second page',
    form: { fields: [{ name: 'size', label: 'Size', kind: 'select', options: ['S', 'M'], required: true }] },
    ...config,
  },
});
const ending = (config: Record<string, unknown>): Sketch => ({ type: 'form_ending', config });
const FIRST = { title: 'Order', fields: [{ name: 'person', label: 'Name', kind: 'text' }] };

const twoPages = flow(
  {
    s: start,
    p: page({ description: 'Hello {{ input.person }}', buttonText: 'Next' }),
    e: ending({ message: '{{ nodes.s.person }} takes {{ input.size }}' }),
  },
  ['s>p', 'p>e'],
);

/** Loads the page of a run until it no longer waits. */
const settled = (browser: Browser, path: string) =>
  until(async () => {
    const answer = await browser.go('GET', path);
    return answer.status === 202 ? null : answer;
  }, 'the next page');

/** Sends the first page, and returns the address to which it leads. */
async function send(browser: Browser, { page: path }: TestForm, person = 'Ada'): Promise<string> {
  const answer = await fillIn(browser, path, { person });
  expect([answer.status, answer.location]).toEqual([303, expect.stringMatching(/^\/forms\/runs\/[\w.-]+$/)]);
  return answer.location;
}

const hiddenFields = (text: string) => ({
  _token: tokenIn(text),
  _page: /name="_page" value="([^"]*)"/.exec(text)?.[1] ?? '',
  _website: '',
});

async function runsOf({ user, workflowId }: Pick<TestForm, 'user' | 'workflowId'>): Promise<ExecutionResponse[]> {
  const { rows } = await databasePool().query<{ id: string }>(
    'SELECT id FROM execution WHERE workflow_id = $1 ORDER BY id',
    [workflowId],
  );
  return Promise.all(rows.map(({ id }) => readRun(user, id)));
}

const readRun = async ({ token }: TestUser, id: string) =>
  (await call<ExecutionResponse>('GET', `/api/executions/${id}`, { token })).body;

const ended = (of: Pick<TestForm, 'user' | 'workflowId'>) =>
  until(async () => {
    const [run] = await runsOf(of);
    return run?.completedAt ? run : null;
  }, 'the end of the run');

describe('a run that asks for more', () => {
  test('shows the next page to the visitor who sent the first, then the ending', async () => {
    const of = await buildForm(FIRST, { definition: twoPages });
    const browser = new Browser();
    const at = await send(browser, of);
    const second = await settled(browser, at);
    expect(second.status).toBe(200);
    for (const text of ['<h1>Second page</h1>', 'Hello Ada', '>Next</button>', '<option value="M"'])
      expect(second.text).toContain(text);
    // A reload shows the same page, and what does not fit comes back.
    expect((await browser.go('GET', at)).text).toContain('<h1>Second page</h1>');
    const refused = await post(browser, at, hiddenFields(second.text));
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('This field is required.')]);
    const sent = await post(browser, at, { ...hiddenFields(refused.text), size: 'M' });
    expect([sent.status, sent.location]).toEqual([303, at]);
    const last = await settled(browser, at);
    expect([last.status, last.text]).toEqual([200, expect.stringContaining('Ada takes M')]);
    expect(last.text).toContain('<h1>Order</h1>');
    const run = await ended(of);
    expect(run).toMatchObject({ status: 'completed', output: { size: 'M' } });
    expect((await browser.go('GET', at)).text).toContain('Ada takes M');
    const entries = await prismaClient().auditEntry.findMany({ where: { action: 'executions.submitPage' } });
    expect(entries).toMatchObject([
      { workspaceId: of.user.workspaceId, resource: { type: 'execution', id: run.id }, metadata: { nodeId: 'p' } },
    ]);
  });

  test('while it works, shows a page that asks for itself with and without scripts', async () => {
    const of = await buildForm(FIRST, {
      definition: flow({ s: start, d: { type: 'delay', config: { durationMs: 3_600_000 } }, p: page() }, [
        's>d',
        'd>p',
      ]),
    });
    const browser = new Browser();
    const at = await send(browser, of);
    const waiting = await browser.go('GET', at);
    expect(waiting.status).toBe(202);
    expect(waiting.text).toContain('<noscript><meta http-equiv="refresh" content="3" /></noscript>');
    expect(waiting.headers.get('content-security-policy')).toMatch(
      /; script-src 'sha256-[\w+/]{43}='; connect-src 'self'$/,
    );
    const [run] = await runsOf(of);
    await call('POST', `/api/executions/${run?.id}/cancel`, { token: of.user.token });
    const cancelled = await settled(browser, at);
    expect([cancelled.status, cancelled.text]).toEqual([410, expect.stringContaining('It was cancelled')]);
  });

  test('belongs to its visitor, and to nobody of another workspace', async () => {
    const [of, other] = await Promise.all([
      buildForm(FIRST, { definition: twoPages }),
      buildForm(FIRST, { definition: twoPages }),
    ]);
    const [ada, bob] = [new Browser(), new Browser()];
    const [atAda, atBob] = [await send(ada, of), await send(bob, of, 'Bob')];
    const [pageOfAda, pageOfBob] = [await settled(ada, atAda), await settled(bob, atBob)];
    expect([pageOfAda.text, pageOfBob.text]).toEqual([
      expect.stringContaining('Hello Ada'),
      expect.stringContaining('Hello Bob'),
    ]);
    const foreign = { ...hiddenFields(pageOfAda.text), size: 'S' };
    const elsewhere = await send(ada, other, 'Eve');
    await settled(ada, elsewhere);
    for (const answer of [
      await bob.go('GET', atAda),
      await new Browser().go('GET', atAda),
      await post(bob, atAda, foreign),
      // The token of a page is of no use at another run.
      await post(ada, elsewhere, foreign),
    ]) {
      expect(answer.status).toBe(403);
      expect(answer.text).not.toContain('Hello Ada');
    }
    expect((await bob.go('GET', `${atAda}x`)).status).toBe(404);
    await post(ada, atAda, foreign);
    expect((await settled(ada, atAda)).text).toContain('Ada takes S');
    expect((await bob.go('GET', atBob)).text).toContain('Hello Bob');
    const [run] = await runsOf(of);
    const path = `/api/executions/${run?.id}/pages`;
    expect((await call('GET', path, { token: other.user.token })).status).toBe(404);
  });

  test('is continued once: by a double click, and with two tabs', async () => {
    const of = await buildForm(FIRST, { definition: twoPages });
    const browser = new Browser();
    const at = await send(browser, of);
    const { text } = await settled(browser, at);
    const sizes = ['M', 'M', 'S'];
    const answers = await Promise.all(sizes.map((size) => post(browser, at, { ...hiddenFields(text), size })));
    const { output } = (await ended(of)) as { output: { size: string } };
    for (const [index, { status, text: body }] of answers.entries()) {
      expect(status).toBe(sizes[index] === output.size ? 303 : 409);
      if (status === 409) expect(body).toContain('Nothing was sent');
    }
    expect((await post(browser, at, { ...hiddenFields(text), size: output.size })).status).toBe(303);
    expect(await runsOf(of)).toHaveLength(1);
  });

  test('takes nothing from programs, nor without the cookie or the token of its page', async () => {
    const of = await buildForm(FIRST, { definition: twoPages });
    const browser = new Browser();
    const at = await send(browser, of);
    const { text } = await settled(browser, at);
    const values = { ...hiddenFields(text), size: 'M' };
    expect((await post(browser, at, { ...values, _token: 'forged' })).status).toBe(403);
    expect((await post(browser, at, { ...values, _website: 'spam' })).status).toBe(303);
    expect((await post(browser, at, { ...values, _page: 's' })).text).toContain('<h1>Second page</h1>');
    expect((await browser.go('GET', at)).text).toContain('<h1>Second page</h1>');
    const [run] = await runsOf(of);
    const token = at.slice('/forms/runs/'.length);
    expect((await call('POST', `/calls/${token}`, { body: {} })).status).toBe(404);
    expect(run?.status).toBe('running');
  });

  test('of a form for members stays with the member', async () => {
    const of = await buildForm({ ...FIRST, access: 'members' }, { definition: twoPages });
    const browser = await signedIn(of.user);
    const at = await send(browser, of);
    expect((await settled(browser, at)).status).toBe(200);
    const shown = await browser.go('GET', at);
    expect((await post(browser, at, { ...hiddenFields(shown.text), size: 'M' })).status).toBe(303);
    const where = { action: 'executions.submitPage', workspaceId: of.user.workspaceId };
    const entry = await prismaClient().auditEntry.findFirst({ where });
    expect(entry?.actor).toEqual({ type: 'user', id: of.user.id, email: of.user.email });
    const signedOut = new Browser();
    signedOut.cookies.set('weft.form', browser.cookies.get('weft.form') ?? '');
    const answer = await signedOut.go('GET', at);
    expect([answer.status, answer.location]).toEqual([303, expect.stringContaining('/login?returnTo=')]);
  });

  test('goes on when the time of a page is over, and says so', async () => {
    const late = { type: 'transform', config: { expression: '"late"' } };
    const of = await buildForm(FIRST, {
      definition: flow({ s: start, p: page({ expiresInMs: 1 }), l: late }, ['s>p', 'p:expired>l']),
    });
    const browser = new Browser();
    const at = await send(browser, of);
    expect(await ended(of)).toMatchObject({ status: 'completed', output: 'late' });
    const answer = await browser.go('GET', at);
    expect([answer.status, answer.text]).toEqual([410, expect.stringContaining('The time to fill this in is over')]);
  });

  test('asks for computed fields, and for files', async () => {
    const fields =
      '{{ [{"name": "colour", "label": "Colour of " & input.person, "kind": "select", "options": ["red"]}] }}';
    const files = [{ name: 'cv', label: 'CV', kind: 'file', required: true }];
    const of = await buildForm(FIRST, {
      definition: flow(
        {
          s: start,
          p: page({ form: { fields } }),
          q: page({ title: 'Third page', form: { fields: files } }),
          e: ending({ show: 'file', title: 'Here it is', message: 'Keep it', file: '{{ input.cv }}' }),
        },
        ['s>p', 'p>q', 'q>e'],
      ),
    });
    const browser = new Browser();
    const at = await send(browser, of);
    const second = await settled(browser, at);
    expect(second.text).toContain('Colour of Ada');
    await post(browser, at, { ...hiddenFields(second.text), colour: 'red' });
    const third = await until(async () => {
      const answer = await settled(browser, at);
      return answer.text.includes('Third page') ? answer : null;
    }, 'the third page');
    const data = new FormData();
    for (const [name, value] of Object.entries(hiddenFields(third.text))) data.append(name, value);
    data.append('cv', new File(['text of it'], 'cv.txt', { type: 'text/plain' }));
    const encoded = new Response(data);
    const headers = {
      'content-type': encoded.headers.get('content-type') ?? '',
      cookie: `weft.form=${browser.cookies.get('weft.form')}`,
    };
    const raw = Buffer.from(await encoded.arrayBuffer());
    expect((await call('POST', at, { raw, headers })).status).toBe(303);
    const last = await settled(browser, at);
    expect(last.text).toContain('<h1>Here it is</h1>');
    expect(last.text).toContain(`href="${at}/file"`);
    const file = await browser.go('GET', `${at}/file`);
    expect([file.status, file.text]).toEqual([200, 'text of it']);
    expect(file.headers.get('content-disposition')).toContain('attachment; filename="cv.txt"');
    expect((await new Browser().go('GET', `${at}/file`)).status).toBe(403);
    // The same form once more, as by a double click, is the same; its files are removed.
    expect((await call('POST', at, { raw, headers })).status).toBe(303);
    const kept = await prismaClient().file.count({ where: { workspaceId: of.user.workspaceId, removedAt: null } });
    expect(kept).toBe(1);
  });
});

describe('the end of a run', () => {
  const oneEnding = (config: Record<string, unknown>) => flow({ s: start, e: ending(config) }, ['s>e']);
  async function shown(definition: WorkflowDefinition, settings: object = {}) {
    const of = await buildForm({ ...FIRST, ...settings }, { definition });
    const browser = new Browser();
    const at = await send(browser, of);
    await ended(of);
    return browser.go('GET', at);
  }

  test('HTML has no rights of this origin', async () => {
    const answer = await shown(oneEnding({ show: 'html', html: '<p>Hello <b>{{ input.person }}</b></p>' }));
    expect(answer.text).toBe('<p>Hello <b>Ada</b></p>');
    expect(answer.headers.get('content-security-policy')).toBe('sandbox allow-forms allow-popups allow-scripts');
  });

  test('another address is checked', async () => {
    const answer = await shown(oneEnding({ show: 'redirect', url: 'https://shop.example/{{ input.person }}' }));
    expect([answer.status, answer.headers.get('refresh')]).toEqual([200, '0; url=https://shop.example/Ada']);
    const failed = await shown(oneEnding({ show: 'redirect', url: 'javascript:{{ input.person }}' }));
    expect([failed.status, failed.text]).toEqual([500, expect.stringContaining('could not be processed')]);
  });

  test('without an ending is the response of the form', async () => {
    const definition = flow(
      { s: start, p: page({ expiresInMs: 1 }), t: { type: 'transform', config: { expression: '"result"' } } },
      ['s>t'],
    );
    expect((await shown(definition, { response: { mode: 'message', message: 'Thank you' } })).text).toContain(
      'Thank you',
    );
    const output = await shown(definition, { response: { mode: 'run_output', timeoutMs: 30_000 } });
    expect(output.text).toMatch(/<pre[^>]*>result<\/pre>/);
    const led = await shown(definition, { response: { mode: 'redirect', url: 'https://shop.example/thanks' } });
    expect(led.headers.get('refresh')).toBe('0; url=https://shop.example/thanks');
  });

  test('stays for its visitor for a while, although the workflow keeps no data', async () => {
    const message = String.raw`{{ "Kept" & "\u0000" }}`;
    const of = await buildForm(FIRST, { definition: oneEnding({ message }) });
    await prismaClient().workflow.update({ where: { id: of.workflowId }, data: { settings: { saveData: 'none' } } });
    const browser = new Browser();
    const at = await send(browser, of);
    const { id } = await ended(of);
    await removeEndedRunData();
    expect((await browser.go('GET', at)).text).toContain('Kept');
    await databasePool().query(
      `UPDATE node_result SET completed_at = completed_at - interval '11 minutes' WHERE execution_id = $1`,
      [id],
    );
    await prismaClient().runEnding.updateMany({ data: { dueAt: new Date() } });
    await removeEndedRunData();
    const later = await browser.go('GET', at);
    expect([later.status, later.text]).toEqual([200, expect.stringContaining('Thank you')]);
  });
});

describe('a run without a form', () => {
  let user: TestUser;
  let workflowId: string;
  beforeEach(async () => {
    user = await buildUser();
    const definition = flow(
      {
        s: start,
        t: { type: 'transform', config: { expression: '{"tell": execution.resumeUrls.p}' } },
        p: page(),
        q: page({ title: 'Third page' }),
        e: ending({ message: 'Done' }),
      },
      ['s>t', 't>p', 'p>q', 'q>e'],
    );
    workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition, status: 'active' });
    await call('POST', `/api/workflows/${workflowId}/execute`, { token: user.token, body: { input: {} } });
  });

  const openPages = (id: string) =>
    call<ListOpenFormPagesResponse>('GET', `/api/executions/${id}/pages`, { token: user.token });

  const firstPages = () =>
    until(async () => {
      const [found] = await runsOf({ user, workflowId });
      const answer = found && (await openPages(found.id));
      return answer && answer.body.data.length > 0 ? answer : null;
    }, 'the page');

  test('has an address for each page, which becomes that of the visitor who fills it in', async () => {
    const listed = await firstPages();
    const [run] = await runsOf({ user, workflowId });
    if (!run) throw new Error('There is no run');
    const told = run.nodeResults.find(({ nodeId }) => nodeId === 't')?.output as { tell: string };
    expect(listed.body).toEqual({
      data: [{ nodeId: 'p', title: 'Second page', url: told.tell, expiresAt: null }],
    });
    const link = new URL(told.tell).pathname;
    const browser = new Browser();
    const second = await browser.go('GET', link);
    const sent = await post(browser, link, { ...hiddenFields(second.text), size: 'S' });
    expect(sent.status).toBe(303);
    expect(sent.location).not.toBe(link);
    const third = await settled(browser, sent.location);
    expect(third.text).toContain('Third page');
    const stranger = new Browser();
    for (const path of [link, sent.location]) {
      const answer = await stranger.go('GET', path);
      expect(answer.status).toBe(path === link ? 410 : 403);
      expect(answer.text).not.toContain('Third page');
    }
    await post(browser, sent.location, { ...hiddenFields(third.text), size: 'M' });
    expect((await settled(browser, sent.location)).text).toContain('Done');
    expect((await openPages(run.id)).body).toEqual({ data: [] });
  });

  test('gives what follows a page to nobody else who has its address', async () => {
    const [listed] = (await firstPages()).body.data;
    const link = new URL(listed?.url ?? '').pathname;
    const [browser, stranger] = [new Browser(), new Browser()];
    const [shown, seen] = [await browser.go('GET', link), await stranger.go('GET', link)];
    const sent = { ...hiddenFields(shown.text), size: 'S' };
    const [first, again] = [await post(browser, link, sent), await post(browser, link, sent)];
    expect([again.status, again.location]).toEqual([303, first.location]);
    expect((await settled(browser, first.location)).text).toContain('Third page');
    // The stranger opened the page in time, and guesses what was entered.
    const foreign = { ...hiddenFields(seen.text), size: 'S' };
    expect((await post(stranger, link, foreign)).status).toBe(409);
    const trapped = await post(stranger, link, { ...foreign, _website: 'spam' });
    expect([trapped.status, trapped.location]).toEqual([303, link]);
    const other = await post(stranger, link, { ...foreign, _page: 'q' });
    expect([other.status, other.text]).toEqual([410, expect.stringContaining('was filled in already')]);
  });
});

describe('the rounds of a list', () => {
  const inRounds = flow(
    {
      s: start,
      l: {
        type: 'for_each',
        config: {
          items: '["Ada", "Bob"]',
          concurrency: 2,
          body: flow({ i: start, p: page({ title: 'Page of {{ input.item }}' }), q: page({ title: 'More' }) }, [
            'i>p',
            'p>q',
          ]),
        },
      },
      e: ending({ message: 'Done' }),
    },
    ['s>l', 'l>e'],
  );
  const openPages = async (of: Pick<TestForm, 'user' | 'workflowId'>) => {
    const [run] = await runsOf(of);
    const { token } = of.user;
    return run
      ? (await call<ListOpenFormPagesResponse>('GET', `/api/executions/${run.id}/pages`, { token })).body.data
      : [];
  };

  test('are each for its own visitor', async () => {
    const user = await buildUser();
    const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition: inRounds, status: 'active' });
    await call('POST', `/api/workflows/${workflowId}/execute`, { token: user.token, body: { input: {} } });
    const of = { user, workflowId };
    const [, bobs] = await until(async () => {
      const pages = await openPages(of);
      return pages.length === 2 ? pages.toSorted((a, b) => a.nodeId.localeCompare(b.nodeId)) : null;
    }, 'both pages');
    const link = new URL(bobs?.url ?? '').pathname;
    const browser = new Browser();
    const shown = await browser.go('GET', link);
    expect(shown.text).toContain('<h1>Page of Bob</h1>');
    const { location } = await post(browser, link, { ...hiddenFields(shown.text), size: 'S' });
    const more = await settled(browser, location);
    expect(more.text).toContain('<h1>More</h1>');
    await post(browser, location, { ...hiddenFields(more.text), size: 'S' });
    const later = await browser.go('GET', location);
    expect(later.status).toBe(202);
    const foreign = await post(browser, location, { ...hiddenFields(more.text), _page: 'l[0].p', size: 'S' });
    expect(foreign.text).not.toContain('Page of Ada');
    expect((await openPages(of)).map(({ nodeId }) => nodeId)).toEqual(['l[0].p']);
  });

  test('are read up to a limit', async () => {
    const of = await buildForm(FIRST, { definition: inRounds });
    await send(new Browser(), of);
    await until(async () => (await openPages(of)).length === 2, 'both pages');
    await databasePool().query(`
      INSERT INTO node_result (execution_id, node_id, status, attempts, held, started_at, revision)
      SELECT execution_id, 'l[' || n || '].p', status, attempts, held, started_at + interval '1 minute', revision
      FROM node_result, generate_series(2, 150) n WHERE node_id = 'l[0].p'`);
    const pages = await openPages(of);
    expect(pages).toHaveLength(100);
    expect(pages.map(({ nodeId }) => nodeId)).toEqual(expect.arrayContaining(['l[0].p', 'l[1].p']));
  });
});

test('the output of a run is for the sender of its form, and not for who fills in a page of it', async () => {
  const told = { type: 'transform', config: { expression: 'execution.resumeUrls.p' } };
  const of = await buildForm(
    { ...FIRST, response: { mode: 'run_output', timeoutMs: 30_000 } },
    {
      definition: flow(
        { s: start, t: told, p: page(), o: { type: 'transform', config: { expression: '"secret result"' } } },
        ['s>t', 't>p', 'p>o'],
      ),
    },
  );
  const [sender, guest] = [new Browser(), new Browser()];
  const at = await send(sender, of);
  await settled(sender, at);
  const [run] = await runsOf(of);
  const link = new URL(String(run?.nodeResults.find(({ nodeId }) => nodeId === 't')?.output)).pathname;
  const shown = await guest.go('GET', link);
  const { location } = await post(guest, link, { ...hiddenFields(shown.text), size: 'S' });
  await ended(of);
  const seen = await guest.go('GET', location);
  expect([seen.status, seen.text]).toEqual([200, expect.stringContaining('Everything was sent')]);
  expect(seen.text).not.toContain('secret result');
  expect((await sender.go('GET', at)).text).toContain('secret result');
});

test('a page that the run has not reached says nothing of its end', async () => {
  const user = await buildUser();
  const definition = flow(
    {
      s: start,
      c: { type: 'condition', config: { expression: 'false' } },
      p: page(),
      e: ending({ message: 'Done' }),
      t: { type: 'transform', config: { expression: 'execution.resumeUrls.p' } },
    },
    ['s>t', 't>c', 'c:true>p', 'c:false>e', 'p>e'],
  );
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition, status: 'active' });
  await call('POST', `/api/workflows/${workflowId}/execute`, { token: user.token, body: { input: {} } });
  const run = await ended({ user, workflowId });
  expect(run.status).toBe('completed');
  const link = String(run.nodeResults.find(({ nodeId }) => nodeId === 't')?.output);
  const answer = await new Browser().go('GET', new URL(link).pathname);
  expect([answer.status, answer.text]).toEqual([410, expect.stringContaining('not asked for any more')]);
});
