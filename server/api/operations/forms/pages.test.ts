import { beforeEach, describe, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import type { FormField } from '@/contract/triggers/form-fields';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { leaseTokens } from '@/server/platform/limits/bucket-lease';
import { TokenBuckets } from '@/server/platform/limits/token-bucket';
import { getRuntime } from '@/server/platform/runtime';
import { Browser } from '@/server/testing/browser';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, join } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { storedRuns } from '@/server/testing/quotas';
import { buildForm, fillIn, post, signedIn, tokenIn, type TestForm } from '@/server/testing/forms';

useDatabase({ rateLimitTier: 'free' });
beforeEach(async () => {
  // A clock that stands still: no token is refilled during a test on a slow machine.
  const now = Date.now();
  getRuntime().buckets = new TokenBuckets(leaseTokens, () => now);
  await prismaClient().rateBucket.deleteMany();
});

/** The runs of a form's workflow, oldest first. */
async function runsOf({ user, workflowId }: TestForm): Promise<ExecutionResponse[]> {
  const { rows } = await databasePool().query('SELECT id FROM execution WHERE workflow_id = $1 ORDER BY id', [
    workflowId,
  ]);
  const { token } = user;
  return Promise.all(
    rows.map(async ({ id }) => (await call<ExecutionResponse>('GET', `/api/executions/${id}`, { token })).body),
  );
}

const text = (name: string, more: Partial<FormField> = {}): FormField => ({ name, label: name, kind: 'text', ...more });

const EVERYTHING: FormField[] = [
  { name: 'person', label: 'Your name', kind: 'text', required: true, help: 'First and last' },
  { name: 'note', label: 'Note', kind: 'textarea' },
  { name: 'email', label: 'Email', kind: 'email' },
  { name: 'count', label: 'Count', kind: 'number', min: 1, max: 9 },
  { name: 'day', label: 'Day', kind: 'date' },
  { name: 'at', label: 'At', kind: 'datetime' },
  { name: 'size', label: 'Size', kind: 'select', options: ['S', { value: 'M', label: 'Medium' }] },
  { name: 'colours', label: 'Colours', kind: 'multiselect', options: ['red', 'blue', 'green'] },
  { name: 'agreed', label: 'I agree', kind: 'checkbox' },
  { name: 'zip', label: 'Zip', kind: 'text', pattern: '\\d{5}' },
  { name: 'source', label: 'Source', kind: 'hidden' },
];

describe('a posted form', () => {
  test('starts a run with the typed values', async () => {
    const of = await buildForm({ fields: EVERYTHING, title: 'Order' });
    const browser = new Browser();
    const answer = await fillIn(browser, of.page, {
      person: 'Ada',
      note: 'a\r\nb',
      email: 'ada@example.com',
      count: '5',
      day: '2026-01-31',
      at: '2026-01-31T08:15',
      size: 'M',
      colours: ['red', 'green'],
      agreed: 'true',
      zip: '12345',
      source: 'mail',
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.text).toContain('Thank you');
    const [run, ...others] = await runsOf(of);
    expect(others).toEqual([]);
    expect(run).toMatchObject({ trigger: 'form', createdBy: null, status: 'pending' });
    expect(run?.input).toEqual({
      person: 'Ada',
      note: 'a\nb',
      email: 'ada@example.com',
      count: 5,
      day: '2026-01-31',
      at: '2026-01-31T08:15:00.000Z',
      size: 'M',
      colours: ['red', 'green'],
      agreed: true,
      zip: '12345',
      source: 'mail',
    });
    const entries = await prismaClient().auditEntry.findMany({
      where: { action: 'forms.submit', workspaceId: of.user.workspaceId },
    });
    expect(entries).toMatchObject([
      {
        workspaceId: of.user.workspaceId,
        resource: { type: 'form', id: of.form.id },
        actor: { type: 'anonymous', email: null },
      },
    ]);
  });

  test('leaves out what is empty', async () => {
    const of = await buildForm({ fields: EVERYTHING });
    const empty = Object.fromEntries(EVERYTHING.map(({ name }) => [name, '']));
    delete empty['agreed'];
    expect((await fillIn(new Browser(), of.page, { ...empty, person: 'Ada' })).status).toBe(200);
    expect((await runsOf(of))[0]?.input).toEqual({ person: 'Ada', agreed: false, colours: [] });
  });

  test('comes back with the errors beside the fields and the entered values', async () => {
    const of = await buildForm({ fields: EVERYTHING });
    const browser = new Browser();
    const answer = await fillIn(browser, of.page, {
      note: 'kept',
      email: 'nobody',
      count: '12',
      size: 'M',
      colours: ['blue'],
      agreed: 'true',
      zip: '1234x',
    });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('<title>Error: Ask</title>');
    expect(answer.text).toContain('id="f-person-error">This field is required.</p>');
    expect(answer.text).toContain('aria-describedby="f-person-help f-person-error" aria-invalid="true" autofocus');
    expect(answer.text).toContain('id="f-email-error">This field must be an email address.</p>');
    expect(answer.text).toContain('id="f-count-error">This field must be at most 9.</p>');
    expect(answer.text).toContain('>\nkept</textarea>');
    expect(answer.text).toContain('value="nobody"');
    expect(answer.text).toMatch(/<option value="M"\s+selected>Medium<\/option>/);
    expect(answer.text).toMatch(/name="colours"\s+value="blue"\s+checked/);
    expect(answer.text).not.toMatch(/name="colours"\s+value="red"\s+checked/);
    // A pattern is checked once everything else fits.
    const again = await post(browser, of.page, { _token: tokenIn(answer.text), person: 'Ada', zip: '1234x' });
    expect(again.text).toContain('id="f-zip-error">This field does not have the expected format.</p>');
    expect(await runsOf(of)).toEqual([]);
    expect((await post(browser, of.page, { _token: tokenIn(again.text), person: 'Ada' })).status).toBe(200);
  });

  test('that the input schema refuses comes back, too', async () => {
    const inputSchema = { properties: { a: { minLength: 3 } }, required: ['b'] };
    const definition = flow({ s: { type: 'start', config: { inputSchema } } });
    const of = await buildForm({ fields: [text('a')] }, { definition });
    const answer = await fillIn(new Browser(), of.page, { a: 'x' });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('id="f-a-error">This field must NOT have fewer than 3 characters.</p>');
    expect(answer.text).toContain('<li>b is required</li>');
    expect(await runsOf(of)).toEqual([]);
  });

  test('as multipart is the same', async () => {
    const of = await buildForm({ fields: [text('a')] });
    const browser = new Browser();
    const { text: page } = await browser.go('GET', of.page);
    const boundary = 'xyz';
    const parts = Object.entries({ _token: tokenIn(page), a: 'ä' });
    const raw = [
      ...parts.map(
        ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      ),
      `--${boundary}--\r\n`,
    ].join('');
    const { status } = await call('POST', of.page, {
      raw,
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        cookie: `weft.form=${browser.cookies.get('weft.form')}`,
      },
    });
    expect(status).toBe(200);
    expect((await runsOf(of))[0]?.input).toEqual({ a: 'ä' });
    const json = await call('POST', of.page, { body: { a: 1 } });
    expect([json.status, String(json.body)]).toEqual([400, expect.stringContaining('The request is not a form.')]);
  });

  describe('with files', () => {
    const FIELDS = [text('a'), { name: 'cv', label: 'CV', kind: 'file', required: true }] as FormField[];

    /** Posts a page with files as a browser does. */
    async function send({ page }: TestForm, values: Record<string, string>, ...files: [string, string][]) {
      const browser = new Browser();
      const { text: html } = await browser.go('GET', page);
      const data = new FormData();
      for (const [name, value] of Object.entries({ _token: tokenIn(html), ...values })) data.append(name, value);
      for (const [name, content] of files)
        data.append(name, new File([content], `${content}.txt`, { type: 'text/plain' }));
      const request = new Response(data);
      const type = request.headers.get('content-type') ?? '';
      const cookie = `weft.form=${browser.cookies.get('weft.form')}`;
      return call<string>('POST', page, {
        raw: Buffer.from(await request.arrayBuffer()),
        headers: { 'content-type': type, cookie },
      });
    }
    const filesOf = ({ user: { workspaceId } }: TestForm) => prismaClient().file.count({ where: { workspaceId } });

    test('starts a run whose input names them', async () => {
      const of = await buildForm({ fields: FIELDS });
      const { status } = await send(of, { a: 'x' }, ['cv', 'one'], ['cv', 'two'], ['other', 'three']);
      expect(status).toBe(200);
      const [run] = await runsOf(of);
      const cv = { $file: expect.stringMatching(/^file_/), name: 'one.txt', contentType: 'text/plain', size: 3 };
      expect(run?.input).toEqual({ a: 'x', cv: { ...cv, sha256: expect.any(String) } });
      expect(await filesOf(of)).toBe(1);
    });

    test('stores none if the form comes back', async () => {
      const of = await buildForm({ fields: [...FIELDS, text('must', { required: true })] });
      const incomplete = await send(of, { a: 'x' }, ['cv', 'one']);
      expect([incomplete.status, incomplete.body]).toEqual([
        400,
        expect.stringContaining('id="f-must-error">This field is required'),
      ]);
      const without = await send(of, { must: 'x' });
      expect([without.status, without.body]).toEqual([
        400,
        expect.stringContaining('id="f-cv-error">This field is required'),
      ]);
      const forged = await send(of, { must: 'x', _token: 'forged' }, ['cv', 'one']);
      expect(forged.status).toBe(403);
      const named = await send(of, { must: 'x', cv: '{"$file":"file_1"}' });
      expect(named.status).toBe(400);
      expect([await filesOf(of), await runsOf(of)]).toEqual([0, []]);
    });

    test('that the input schema refuses are removed', async () => {
      const inputSchema = { properties: { a: { minLength: 3 } } };
      const definition = flow({ s: { type: 'start', config: { inputSchema } } });
      const of = await buildForm({ fields: FIELDS }, { definition });
      expect((await send(of, { a: 'x' }, ['cv', 'one'])).status).toBe(400);
      const kept = await prismaClient().file.count({ where: { workspaceId: of.user.workspaceId, removedAt: null } });
      expect([kept, await runsOf(of)]).toEqual([0, []]);
    });
  });

  test('of a workspace without a quota of runs comes back, and says nothing about the quota', async () => {
    const of = await buildForm({ fields: [text('a')] });
    await prismaClient().workspace.update({ where: { id: of.user.workspaceId }, data: { tier: 'free' } });
    await storedRuns(of.user.workspaceId, 50_000);
    const answer = await fillIn(new Browser(), of.page, { a: 'kept' });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('the form cannot take answers at the moment');
    expect(answer.text).toContain('value="kept"');
    expect(answer.text).not.toContain('50,000');
  });
});

describe('a page', () => {
  test('is plain HTML with a strict policy, and escapes every text', async () => {
    const evil = `"><script>alert('1')</script>&`;
    const of = await buildForm({
      title: evil,
      description: evil,
      fields: [
        text('a', { label: evil, help: evil }),
        { name: 'b', label: evil, kind: 'select', options: [{ value: evil, label: evil }] },
        { name: 'c', label: evil, kind: 'textarea' },
        { name: 'd', label: evil, kind: 'multiselect', options: [evil] },
        { name: 'e', label: evil, kind: 'hidden' },
      ],
      response: { mode: 'message', message: evil },
    });
    const browser = new Browser();
    const query = new URLSearchParams({ a: evil, c: `</textarea>${evil}`, e: evil, f: evil });
    const page = await browser.go('GET', `${of.page}?${query}`);
    const refused = await fillIn(browser, of.page, { a: evil, b: 'other', c: evil, d: evil, e: evil });
    const sent = await fillIn(browser, of.page, { a: evil, b: evil });
    expect([page.status, refused.status, sent.status]).toEqual([200, 400, 200]);
    for (const answer of [page, refused, sent]) {
      expect(answer.text).not.toContain('<script');
      expect(answer.text).not.toContain('</textarea>"');
      expect(answer.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    expect(page.text).toContain('&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;');
    expect(page.text).not.toContain('name="f"');
  });

  test('without a form, or of an inactive workflow, says so', async () => {
    const of = await buildForm();
    const nowhere = await new Browser().go('GET', `/forms/${of.workflowId}/other`);
    expect([nowhere.status, nowhere.text]).toEqual([404, expect.stringContaining('There is no form here')]);
    expect((await new Browser().go('GET', '/forms/wf_nothing/ask')).status).toBe(404);
    expect((await new Browser().go('GET', `/forms/${of.workflowId}/%00`)).status).toBe(404);
    const browser = new Browser();
    const { text: page } = await browser.go('GET', of.page);
    for (const status of ['paused', 'draft']) {
      await prismaClient().workflow.update({ where: { id: of.workflowId }, data: { status } });
      const closed = await browser.go('GET', of.page);
      expect([closed.status, closed.text]).toEqual([409, expect.stringContaining('This form is closed')]);
      expect((await post(browser, of.page, { _token: tokenIn(page) })).status).toBe(409);
    }
    await prismaClient().workspace.update({ where: { id: of.user.workspaceId }, data: { deletedAt: new Date() } });
    expect((await browser.go('GET', of.page)).status).toBe(404);
    expect(await prismaClient().execution.count({ where: { workflowId: of.workflowId } })).toBe(0);
  });

  test('is filled in by its address', async () => {
    const { page } = await buildForm({ fields: EVERYTHING });
    const { text: shown } = await new Browser().go(
      'GET',
      `${page}?person=Ada&source=mail&colours=red&colours=blue&size=M`,
    );
    expect(shown).toContain('value="Ada"');
    expect(shown).toContain('<input type="hidden" name="source" value="mail" />');
    expect(shown.match(/name="colours"\s+value="\w+"\s+checked/g)).toHaveLength(2);
    expect(shown).toMatch(/<option value="M"\s+selected>/);
  });
});

describe('posts that the page did not make', () => {
  const expectRefused = async (of: TestForm, answer: { status: number; text: string }) => {
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('Nothing was sent')]);
    expect(await runsOf(of)).toEqual([]);
  };

  test('have no token, or that of another visitor, form or time', async () => {
    const of = await buildForm();
    const other = await buildForm();
    const [mine, theirs] = [new Browser(), new Browser()];
    const { text: page } = await mine.go('GET', of.page);
    await expectRefused(of, await post(mine, of.page, {}));
    await expectRefused(of, await post(mine, of.page, { _token: 'x' }));
    await expectRefused(of, await fillIn(theirs, of.page, { _token: tokenIn(page) }));
    await expectRefused(of, await post(new Browser(), of.page, { _token: tokenIn(page) }));
    const { text: elsewhere } = await mine.go('GET', other.page);
    await expectRefused(of, await post(mine, of.page, { _token: tokenIn(elsewhere) }));
    const later = tokenIn(page).replace(/^[^.]*/, (Date.now() + 1).toString(36));
    await expectRefused(of, await post(mine, of.page, { _token: later }));
    expect((await post(mine, of.page, { _token: tokenIn(page) })).status).toBe(200);
  });

  test('come from another origin', async () => {
    const of = await buildForm();
    const browser = new Browser();
    const { text: page } = await browser.go('GET', of.page);
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' },
      { origin: 'https://evil.example' },
    ] as Record<string, string>[]) {
      await expectRefused(of, await browser.go('POST', of.page, { headers, form: { _token: tokenIn(page) } }));
    }
  });

  test('keep what was entered', async () => {
    const of = await buildForm({ fields: [text('a')] });
    const answer = await post(new Browser(), of.page, { a: 'my long answer' });
    expect(answer.text).toContain('value="my long answer"');
    expect(answer.headers.get('set-cookie')).toMatch(/^weft\.form=[\w-]{22}; Path=\/forms; HttpOnly; SameSite=Lax$/);
  });

  test('fill in the field that people do not see: no run, the same answer', async () => {
    const of = await buildForm({ fields: [text('a', { required: true })] });
    const browser = new Browser();
    const caught = await fillIn(browser, of.page, { a: 'x', _website: 'https://spam.example' });
    expect(await runsOf(of)).toEqual([]);
    const sent = await fillIn(browser, of.page, { a: 'x' });
    expect([caught.status, caught.text]).toEqual([sent.status, sent.text]);
    expect(await runsOf(of)).toHaveLength(1);
  });
});

test('a flood of posts uses up the bucket of its network and form, and no other', async () => {
  const of = await buildForm();
  const other = await buildForm();
  const { token, workspaceId } = of.user;
  await prismaClient().workspace.update({ where: { id: workspaceId }, data: { tier: 'free' } });
  const flood = (from: string) =>
    call('POST', of.page, { raw: 'a=1', from, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
  const statuses = new Set<number>();
  let last: Awaited<ReturnType<typeof flood>> | undefined;
  for (let round = 0; round < 130; round++) statuses.add((last = await flood('198.51.100.1')).status);
  expect(statuses).toEqual(new Set([403, 429]));
  expect(last?.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(String(last?.body)).toContain('<h1>Too many requests</h1>');
  expect((await flood('198.51.100.2')).status).toBe(403);
  expect((await call('GET', other.page, { from: '198.51.100.1' })).status).toBe(200);
  expect((await call('GET', '/api/workflows', { token, from: '198.51.100.1' })).status).toBe(200);
  const { rows } = await databasePool().query('SELECT name FROM rate_bucket WHERE name LIKE $1', [`%${workspaceId}`]);
  expect(rows.map(({ name }) => name)).not.toContain(`webhooks:${workspaceId}`);
  const browser = new Browser();
  expect((await fillIn(browser, of.page)).status).toBe(200);
});

describe('a form for members', () => {
  const build = () => buildForm({ access: 'members', title: 'Secret survey', fields: [text('a')] });

  test('leads to the sign-in and back', async () => {
    const of = await build();
    const answer = await new Browser().go('GET', `${of.page}?a=1`);
    expect([answer.status, answer.location]).toEqual([303, `/login?returnTo=${encodeURIComponent(`${of.page}?a=1`)}`]);
    expect(answer.text).not.toContain('Secret survey');
    expect((await post(new Browser(), of.page, { a: 'x' })).status).toBe(303);
    expect(await runsOf(of)).toEqual([]);
  });

  test('knows who sends it', async () => {
    const of = await build();
    const viewer = await buildUser({ workspaceId: of.user.workspaceId, role: 'viewer' });
    // Whatever workspace the person has open.
    await join(viewer.id, (await buildUser()).workspaceId, 'viewer');
    const browser = await signedIn(viewer);
    expect((await fillIn(browser, of.page, { a: 'x' })).status).toBe(200);
    expect(await runsOf(of)).toMatchObject([{ createdBy: viewer.id, input: { a: 'x' } }]);
    const entries = await prismaClient().auditEntry.findMany({
      where: { action: 'forms.submit', workspaceId: of.user.workspaceId },
    });
    expect(entries).toMatchObject([{ actor: { type: 'user', id: viewer.id, email: viewer.email } }]);
  });

  test('is closed to people of other workspaces, also with the token of a member', async () => {
    const of = await build();
    const stranger = await signedIn(await buildUser());
    const refused = await fillIn(stranger, of.page, { a: 'x' });
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('for members of its workspace')]);
    expect(refused.text).not.toContain('Secret survey');
    const colleague = await signedIn(await buildUser({ workspaceId: of.user.workspaceId }));
    const owner = await signedIn(of.user);
    const { text: page } = await owner.go('GET', of.page);
    colleague.cookies.set('weft.form', owner.cookies.get('weft.form') ?? '');
    expect((await post(colleague, of.page, { _token: tokenIn(page), a: 'x' })).status).toBe(403);
    expect(await runsOf(of)).toEqual([]);
  });

  test('is closed to a session without its second factor', async () => {
    const of = await build();
    await prismaClient().user.update({ where: { id: of.user.id }, data: { mfaEnabledAt: new Date() } });
    expect((await (await signedIn(of.user)).go('GET', of.page)).status).toBe(403);
  });
});

test('a public form does not say who is signed in', async () => {
  const of = await buildForm();
  const stranger = await buildUser();
  expect((await fillIn(await signedIn(stranger), of.page)).status).toBe(200);
  const entries = await prismaClient().auditEntry.findMany({
    where: { workspaceId: of.user.workspaceId, action: 'forms.submit' },
  });
  expect(entries).toMatchObject([{ actor: { type: 'anonymous', id: null, email: null } }]);
  expect(await runsOf(of)).toMatchObject([{ createdBy: null }]);
});

describe('the answer', () => {
  test('redirects', async () => {
    const of = await buildForm({ response: { mode: 'redirect', url: 'https://example.com/thänks?a=1' } });
    const browser = new Browser();
    const page = await browser.go('GET', of.page);
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https:;");
    const answer = await fillIn(browser, of.page);
    expect([answer.status, answer.location]).toEqual([303, 'https://example.com/th%C3%A4nks?a=1']);
    expect(await runsOf(of)).toHaveLength(1);
  });

  describe('with the output of the run', () => {
    const response = { mode: 'run_output', timeoutMs: 30_000 };
    const of = (expression: string) =>
      buildForm(
        { fields: [text('a')], response },
        {
          definition: flow({ s: { type: 'start' }, t: { type: 'transform', config: { expression } } }, ['s>t']),
        },
      );
    const answered = async (form: TestForm, values = { a: '<b>x</b>' }) => {
      const worker: EngineWorker = await startWorker({ concurrency: 5 });
      try {
        return await fillIn(new Browser(), form.page, values);
      } finally {
        await worker.stop();
      }
    };

    test('is a text', async () => {
      const answer = await answered(await of('"Hello " & input.a'));
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('>Hello &lt;b&gt;x&lt;/b&gt;</pre')]);
    });

    test('is JSON for other values', async () => {
      expect((await answered(await of('{"n": [1]}'))).text).toContain('>{\n  &quot;n&quot;: [\n    1\n  ]\n}</pre');
    });

    test('says that the run failed, without its reason', async () => {
      const answer = await answered(await of('$error("the secret reason")'));
      expect([answer.status, answer.text]).toEqual([500, expect.stringContaining('could not be processed')]);
      expect(answer.text).not.toContain('secret reason');
    });

    test('says that it is not there in time', async () => {
      const form = await of('1');
      await databasePool().query(`UPDATE form SET response = '{"mode":"run_output","timeoutMs":20}' WHERE id = $1`, [
        form.form.id,
      ]);
      const answer = await fillIn(new Browser(), form.page);
      expect([answer.status, answer.text]).toEqual([202, expect.stringContaining('not ready yet')]);
      expect(await runsOf(form)).toMatchObject([{ status: 'pending' }]);
    });
  });
});
